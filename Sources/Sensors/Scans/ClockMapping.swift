/// Turns stamps of a clock that is not CLOCK_MONOTONIC into CLOCK_MONOTONIC.
///
/// A scan arrives after it was stamped, never before; so the smallest arrival − stamp that was seen is the
/// nearest to the clocks' difference. Pure; times are nanoseconds.
package struct ClockMapping: Equatable, Sendable {
  /// A scan that is later than this was not late: its clock was set back, or an earlier stamp was wrong.
  package static let longestDelay: Int64 = 2_000_000_000
  /// What can be a stamp at all; sums of two stay within 64 bits.
  private static let plausible: ClosedRange<Int64> = -(1 << 61)...(1 << 61)

  private var difference: Int64?

  package init() {}

  /// Learns from a scan. All scans of a wake-up are learned before the first of them is mapped.
  package mutating func observe(stamp: Int64, arrival: Int64) {
    guard Self.plausible.contains(stamp), Self.plausible.contains(arrival) else { return }
    let seen = arrival - stamp
    guard let known = difference else {
      difference = seen
      return
    }
    // Wrapping: both differences are bounded by 2^62.
    if seen < known || seen &- known > Self.longestDelay { difference = seen }
  }

  /// The stamp on CLOCK_MONOTONIC. What cannot be a stamp comes back as it is: the pipeline drops it.
  package func monotonic(_ stamp: Int64) -> Int64 {
    guard let difference, Self.plausible.contains(stamp) else { return stamp }
    return stamp &+ difference
  }
}
