/// Leaves out the scans of the first moments after a sensor was switched on: on some parts they are wrong.
///
/// Pure; times are nanoseconds.
package struct Settling: Equatable, Sendable {
  /// Stamps that stand still must not keep scans out for ever.
  private static let patience: Int64 = 1_000_000_000

  private let duration: Int64
  private var isOver: Bool
  private var first: Int64?
  private var firstArrival: Int64 = 0
  /// Scans that were left out.
  package private(set) var dropped = 0

  /// - Parameter duration: counted from the stamp of the first scan; 0 leaves out none.
  package init(durationNanoseconds duration: Int64) {
    self.duration = duration
    isOver = duration <= 0
  }

  /// The sensor was switched off and on again.
  package mutating func restart() {
    isOver = duration <= 0
    first = nil
  }

  /// Whether the scan counts.
  @inline(__always)
  package mutating func admits(stamp: Int64, arrival: Int64) -> Bool { isOver || isSettled(stamp, arrival) }

  private mutating func isSettled(_ stamp: Int64, _ arrival: Int64) -> Bool {
    guard let first else {
      first = stamp
      firstArrival = arrival
      dropped += 1
      return false
    }
    let elapsed = stamp.subtractingReportingOverflow(first)
    isOver =
      elapsed.overflow || elapsed.partialValue < 0 || elapsed.partialValue >= duration
      || arrival - firstArrival >= duration + Self.patience
    if !isOver { dropped += 1 }
    return isOver
  }
}
