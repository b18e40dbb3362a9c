/// Where a stream ended and another began: a span of time without samples, or a clock that was set back.
struct Interruption: Equatable, Sendable {
  /// Seconds: of the last sample before, and of the first after.
  var start: Double
  var end: Double
  let isClockStep: Bool
}

/// Interruptions, as many as can be seen.
struct Interruptions: Sendable {
  private(set) var all: [Interruption] = []
  /// Seconds: what is nearer to each other is one.
  private var nearness = 0.0

  private static let limit = 2048

  mutating func add(_ one: Interruption) {
    if !joined(one) { all.append(one) }
    guard all.count > Self.limit, let first = all.first, let last = all.last else { return }
    nearness = max(nearness, (last.end - first.start) / Double(8 * Self.limit))
    while all.count > Self.limit / 2 {
      let before = all
      all = []
      for one in before where !joined(one) { all.append(one) }
      nearness *= 2
      // All at one time.
      if nearness == 0 { all = Array(all.prefix(1)) }
    }
  }

  /// Makes the last longer, where `one` is as good as part of it.
  private mutating func joined(_ one: Interruption) -> Bool {
    guard nearness > 0, let last = all.last, last.isClockStep == one.isClockStep,
      one.start - last.end < nearness
    else { return false }
    all[all.count - 1].end = one.end
    return true
  }
}
