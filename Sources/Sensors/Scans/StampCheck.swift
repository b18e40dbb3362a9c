/// Notices stamps that are none: they stand still, run backwards, or count something else than nanoseconds. A
/// pipeline that goes by them would drop every scan, or see a pause before each.
///
/// Compares how far stamps and arrivals get in a second. Only a factor of a hundred counts, twice in a row and
/// to the same side: scans arrive late and in heaps, clocks are set, and a device that is a little off is still to
/// be trusted. Of a process that was stopped for minutes the stamps first seem to stand and then to leap.
/// Pure; times are nanoseconds.
package struct StampCheck: Equatable, Sendable {
  /// Why they are left out, for people.
  static let reason = "they stand still or count no nanoseconds; its scans get the time of their arrival"

  private static let window: Int64 = 1_000_000_000
  private static let fewestScans = 16
  private static let factor: Int64 = 100
  private static let mostWindows = 2

  private var stampAtStart: Int64 = 0
  private var arrivalAtStart: Int64?
  private var scans = 0
  private var wrongWindows = 0
  private var lastWasSlow = false

  package init() {}

  /// Learns from what one wake-up brought.
  ///
  /// - Parameters:
  ///   - newest: the stamp of the last of `count` scans.
  ///   - arrival: of all of them, CLOCK_MONOTONIC.
  /// - Returns: whether the stamps are wrong.
  package mutating func observe(newest: Int64, count: Int, arrival: Int64) -> Bool {
    guard let arrivalAtStart else {
      begin(newest, arrival)
      return false
    }
    scans += count
    let elapsed = arrival - arrivalAtStart
    guard elapsed >= Self.window, scans >= Self.fewestScans else { return false }
    let (stamped, overflow) = newest.subtractingReportingOverflow(stampAtStart)
    let isSlow = !overflow && stamped < elapsed / Self.factor
    let isFast = overflow || stamped / Self.factor > elapsed
    if isSlow != lastWasSlow || !(isSlow || isFast) { wrongWindows = 0 }
    if isSlow || isFast { wrongWindows += 1 }
    lastWasSlow = isSlow
    begin(newest, arrival)
    return wrongWindows >= Self.mostWindows
  }

  private mutating func begin(_ stamp: Int64, _ arrival: Int64) {
    stampAtStart = stamp
    arrivalAtStart = arrival
    scans = 0
  }
}
