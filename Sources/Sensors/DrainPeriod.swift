/// How often the kernel's buffer is emptied by a timer where nobody waits for each scan. Pure.
///
/// The offsets are the same: they do not depend on how scans are batched. Only wake-ups are saved.
enum DrainPeriod {
  /// Subscribers who wait at least this long, nanoseconds, do not notice.
  private static let longInterval: Int64 = 200_000_000
  /// The kernel's buffer holds 0.25 s at least.
  private static let longest: Int64 = 100_000_000

  /// Nanoseconds; 0: the loop wakes for each scan.
  ///
  /// - Parameters:
  ///   - interval: what the least patient subscriber waits between two events, nanoseconds.
  ///   - frequency: of the scans, Hz; nil where unknown.
  ///   - stampsAreMonotonic: else the time of the wake-up would be in the scans' times.
  static func nanoseconds(interval: Int64, frequency: Double?, stampsAreMonotonic: Bool) -> Int64 {
    guard stampsAreMonotonic, interval >= longInterval else { return 0 }
    var period = min(interval / 4, longest)
    guard let frequency, frequency > 0 else { return period }
    // Of what the kernel holds not even the half is filled.
    period = min(period, Int64(0.4e9 * Double(Gyroscope.kernelScans(frequency)) / frequency))
    // A slow sensor wakes the loop seldom enough.
    return Double(period) * frequency >= 2e9 ? period : 0
  }
}
