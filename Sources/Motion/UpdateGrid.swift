/// Which samples make an update: the grid of due times t₀ + n·T of a stream.
///
/// An update is made on the sample nearest to its due time and never waits for a later one: it is due at a
/// sample at `t` when 2·(due − t) ≤ min(Δ, T), all in integers.
struct UpdateGrid: Equatable, Sendable {
  /// T, nanoseconds; 0: every sample is due.
  private(set) var interval: Int64
  /// The newest due time that was served; the next is one interval later.
  private(set) var served: Int64 = 0

  init(interval: Int64) { self.interval = interval }

  /// A new stream: its first sample is an update.
  mutating func begin(at timestamp: Int64) { served = timestamp }

  /// How many updates are due at a sample that came `delta` (above 0, at most the gap limit) after the one
  /// before it. Serves them. At most delta / T + 2.
  mutating func take(at timestamp: Int64, delta: Int64) -> Int64 {
    guard interval > 0 else {
      served = timestamp
      return 1
    }
    let reach = timestamp + min(delta, interval) / 2
    let due = max(0, (reach - served) / interval)
    served += due * interval
    return due
  }

  /// Another interval in the midst of a stream: the grid goes on from the last time served in the new
  /// steps. Nothing is owed for time already gone, and a time served ahead of its sample (with a long
  /// interval) holds nothing up.
  mutating func change(interval newInterval: Int64, newestSample: Int64) {
    guard newInterval != interval else { return }
    interval = newInterval
    served = min(served, newestSample)
    guard newInterval > 0 else { return }
    served += (newestSample - served) / newInterval * newInterval
  }
}
