import Motion

/// Takes out what one scan alone shows: each axis gets the median of the scan before, itself and the next.
/// Pure; a scan costs no allocation.
///
/// A scan is held until the next has come, and keeps its own time: samples come one scan later, with the
/// times at which they were taken. What is left of a real motion is unchanged but where it turns back within
/// one scan.
package struct MedianGuard: Equatable, Sendable {
  /// A longer pause (nanoseconds) ends the row: scans on either side of it say nothing of each other.
  private let gapLimit: Int64
  private var before: Vector3?
  private var held: RawSample?

  package init(gapLimitNanoseconds: Int64) { gapLimit = gapLimitNanoseconds }

  /// Takes a scan, and puts the one before it, guarded, in its place; false where there is none yet.
  @inline(__always)
  package mutating func passes(_ sample: inout RawSample) -> Bool {
    let newest = sample
    guard let held else {
      held = newest
      return false
    }
    let elapsed = newest.timestampNanoseconds.subtractingReportingOverflow(held.timestampNanoseconds)
    let follows = !elapsed.overflow && elapsed.partialValue > 0 && elapsed.partialValue <= gapLimit
    sample = held
    // At either end of a row the scan itself stands in for the neighbour that it has not: it stays as it is.
    if follows, let before { sample.raw = Self.median(before, held.raw, newest.raw) }
    before = follows ? held.raw : nil
    self.held = newest
    return true
  }

  /// Forgets what it holds.
  package mutating func reset() {
    before = nil
    held = nil
  }

  private static func median(_ a: Vector3, _ b: Vector3, _ c: Vector3) -> Vector3 {
    Vector3(median(a.x, b.x, c.x), median(a.y, b.y, c.y), median(a.z, b.z, c.z))
  }

  private static func median(_ a: Double, _ b: Double, _ c: Double) -> Double {
    max(min(a, b), min(max(a, b), c))
  }
}
