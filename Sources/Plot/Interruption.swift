/// Where a stream ended and another began: a span of time without samples, or a clock that was set back.
struct Interruption: Equatable, Sendable {
  /// Seconds: of the last sample before, and of the first after.
  var start: Double
  var end: Double
}

/// Interruptions of one kind in their order, as many as can be seen: where there are more, near ones become one.
struct Interruptions: Sendable {
  private(set) var all: [Interruption] = []
  /// How many there were.
  private(set) var count: Int64 = 0
  /// Seconds: what is nearer to each other is one.
  private var nearness = 0.0

  static let limit = 2048

  /// - Parameter one: not before the last.
  mutating func add(_ one: Interruption) {
    count += 1
    if !joins(one) { all.append(one) }
    guard all.count > Self.limit, let first = all.first else { return }
    // Twice as far each time: in the end all would be one.
    nearness = max(nearness, (one.end - first.start) / Double(8 * Self.limit), 1e-9)
    while all.count > Self.limit / 2 {
      let before = all
      all = []
      for one in before where !joins(one) { all.append(one) }
      nearness *= 2
    }
  }

  /// Makes the last longer, where `one` is as good as part of it.
  private mutating func joins(_ one: Interruption) -> Bool {
    guard let last = all.last, one.start - last.end < nearness else { return false }
    all[all.count - 1].end = one.end
    return true
  }
}
