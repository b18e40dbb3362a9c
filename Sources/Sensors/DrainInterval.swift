/// How often the loop empties the kernel's buffer by a timer, where nobody needs each scan at once. Waking for
/// every scan would cost a process switch each. Pure; times are nanoseconds.
package enum DrainInterval {
  /// Fewer scans a wake-up than this save too little to be worth the delay.
  private static let fewestScans: Int64 = 4

  /// - Parameters:
  ///   - patience: what an event may come late.
  ///   - spacing: from one scan to the next, as the device says; 0 where it says nothing.
  ///   - capacity: scans that the kernel holds. A quarter of it is used: the loop may be late, and the device
  ///     faster than it says.
  /// - Returns: nil where each scan is to wake the loop.
  package static func nanoseconds(patience: Int64, spacing: Int64, capacity: Int) -> Int64? {
    guard spacing > 0 else { return nil }
    let (held, overflow) = spacing.multipliedReportingOverflow(by: Int64(max(0, capacity / 4)))
    let interval = overflow ? patience : min(patience, held)
    return interval / spacing >= fewestScans ? interval : nil
  }

  /// Whether so many scans in one go show that the device is too fast for draining: it gives scans more often
  /// than it says.
  package static func isTooFull(received: Int, capacity: Int) -> Bool { received > capacity / 2 }
}
