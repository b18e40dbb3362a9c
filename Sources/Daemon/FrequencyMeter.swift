import Motion

/// The rate at which samples really come, from their timestamps; a reported rate may be wrong.
struct FrequencyMeter {
  private static let windowNanoseconds: Int64 = 1_000_000_000

  private var start: Int64?
  private var intervals: Int64 = 0
  /// Hz over the last whole window of a second; nil before the first.
  private(set) var hertz: Double?

  /// A new stream: what was measured before says nothing of it.
  mutating func reset() { self = FrequencyMeter() }

  /// The time of the next sample of the stream; one that goes back begins anew.
  mutating func add(timestampNanoseconds: Int64) {
    guard let start, timestampNanoseconds > start else {
      start = timestampNanoseconds
      intervals = 0
      return
    }
    intervals += 1
    let (elapsed, overflow) = timestampNanoseconds.subtractingReportingOverflow(start)
    guard !overflow, elapsed >= Self.windowNanoseconds else { return }
    hertz = Double(intervals) * 1e9 / Double(elapsed)
    self.start = timestampNanoseconds
    intervals = 0
  }
}
