/// How often the loop empties the kernel's buffer by a timer, where nobody needs each scan at once. Waking for
/// every scan would cost a process switch each. Pure; times are nanoseconds.
package enum DrainInterval {
  /// Fewer scans a wake-up than this save too little to be worth the delay.
  private static let fewestScans: Int64 = 4
  /// Stamps that hardly advance say that scans come all the time, and the timer would too.
  private static let shortest: Int64 = 1_000_000

  /// - Parameters:
  ///   - patience: what an event may come late.
  ///   - spacing: from one scan to the next, as was measured.
  ///   - capacity: scans that the kernel holds. A quarter of it is used: the loop may be late.
  /// - Returns: nil where each scan is to wake the loop.
  package static func nanoseconds(patience: Int64, spacing: Int64, capacity: Int) -> Int64? {
    guard spacing > 0 else { return nil }
    let (held, overflow) = spacing.multipliedReportingOverflow(by: Int64(max(0, capacity / 4)))
    let interval = overflow ? patience : min(patience, held)
    return interval >= shortest && interval / spacing >= fewestScans ? interval : nil
  }
}
