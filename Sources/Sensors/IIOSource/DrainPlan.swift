/// When the loop empties the kernel's buffer by a timer, where nobody needs each scan at once: waking for every scan
/// would cost a process switch each. It rests until an event is due, and then each scan wakes it until that has come;
/// so the events of a device in motion come when they would have come anyway. Of one at rest there may be none: the next
/// rest is counted from the update that would have been one, and motion is seen at its end. Pure; times are nanoseconds.
package struct DrainPlan {
  /// Fewer scans a wake-up than this save too little to be worth the delay.
  private static let fewestScans: Int64 = 4
  /// Stamps that hardly advance say that scans come all the time, and the timer would too.
  private static let shortest: Int64 = 1_000_000

  /// The shortest time between two events that anybody wants, 0 to a minute.
  package var patience: Int64 = 0
  /// No event is wanted of an update before this time of the samples; nil before the first one.
  private var due: Int64?

  package init() {}

  /// An update was made by the sample of this time.
  package mutating func updateWasMade(at timestamp: Int64) {
    // Earlier than the update that this is reckoned from: the samples' clock was set back.
    if let due, timestamp < due, timestamp >= due &- patience { return }
    due = timestamp &+ patience
  }

  /// - Parameters:
  ///   - now: the time by the clock that the samples have theirs from.
  ///   - spacing: from one scan to the next, as was measured.
  ///   - capacity: scans that the kernel holds. A quarter of it is used: the loop may be late.
  /// - Returns: how long to rest; nil where the next scan is to wake the loop.
  package func rest(from now: Int64, spacing: Int64, capacity: Int) -> Int64? {
    guard patience > 0, spacing > 0, let due else { return nil }
    let (left, early) = due.subtractingReportingOverflow(now)
    let (held, endless) = spacing.multipliedReportingOverflow(by: Int64(max(0, capacity / 4)))
    // Stamps that lie ahead make nobody wait for longer.
    let interval = min(early ? patience : min(left, patience), endless ? .max : held)
    return interval >= Self.shortest && interval / spacing >= Self.fewestScans ? interval : nil
  }
}
