/// The shortest time from one scan to the next that a device has kept to for a while, by its stamps: what it
/// says of its frequency may be wrong. Pure; times are nanoseconds.
package struct ObservedSpacing: Equatable, Sendable {
  private static let intervals = 16

  private var first: Int64?
  private var count: Int64 = 0
  /// The mean of sixteen intervals in a row, the least that was seen; nil before there were so many.
  package private(set) var nanoseconds: Int64?

  package init() {}

  /// Learns from what one wake-up brought: the stamp of the last of `count` scans.
  package mutating func observe(newest: Int64, count scans: Int) {
    guard let first else {
      first = newest
      return
    }
    count += Int64(scans)
    guard count >= Self.intervals else { return }
    let (elapsed, overflow) = newest.subtractingReportingOverflow(first)
    if !overflow, elapsed >= count { nanoseconds = min(nanoseconds ?? .max, elapsed / count) }
    self.first = newest
    count = 0
  }
}
