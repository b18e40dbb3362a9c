/// Times for scans of a device that stamps none: the newest of a wake-up has the time of the wake-up, those
/// before it lie evenly between. Pure; times are nanoseconds.
package struct ArrivalTimes: Equatable, Sendable {
  /// 1/frequency of the sensor; 0 where unknown.
  private let nominalSpacing: Int64
  private var previous: Int64?

  package init(nominalSpacingNanoseconds: Int64) { nominalSpacing = max(0, nominalSpacingNanoseconds) }

  /// The spacing of `count` scans that arrived together at `arrival`: scan n of them was taken at
  /// `arrival − (count − 1 − n) · spacing`, which is after all scans before.
  package mutating func spacing(count: Int, arrival: Int64) -> Int64 {
    defer { previous = arrival }
    // 1 ms where nothing is known: only the order matters then.
    let usual = nominalSpacing > 0 ? nominalSpacing : 1_000_000
    guard let previous, count > 0 else { return usual }
    return max(0, min((arrival - previous) / Int64(count), usual))
  }
}
