import Testing

@testable import Motion

/// Row 6: which samples are due.
@Suite struct DueUpdateTests {
  /// T and the sample times in ms, and the k of each sample.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var interval: Double
    var times: [Double]
    var counts: [Int64]
  }

  static let cases: [Case] = [
    Case(testDescription: "every sample", interval: 0, times: [0, 1, 5, 200], counts: [1, 1, 1, 1]),
    Case(
      testDescription: "a sensor as fast as the grid", interval: 30, times: [0, 30, 60], counts: [1, 1, 1]),
    Case(
      testDescription: "a jittering sensor of the grid's rate: one update each", interval: 30,
      times: [0, 29, 61, 88, 121, 149], counts: [1, 1, 1, 1, 1, 1]),
    Case(
      testDescription: "the nearest sample, not the next", interval: 30,
      times: [0, 10, 20, 28, 36, 46, 56, 66], counts: [1, 0, 0, 1, 0, 0, 1, 0]),
    Case(
      testDescription: "exactly half a spacing early is due", interval: 30, times: [0, 12, 24, 36],
      counts: [1, 0, 1, 0]),
    Case(
      testDescription: "one more than half a spacing early is not", interval: 30, times: [0, 11, 22, 34],
      counts: [1, 0, 0, 1]),
    Case(
      testDescription: "a slow sensor owes several", interval: 30, times: [0, 100, 200],
      counts: [1, 3, 4]),
    Case(
      testDescription: "half the interval ahead at most", interval: 30, times: [0, 75, 104, 200],
      counts: [1, 3, 0, 4]),
  ]

  @Test(arguments: cases)
  func count(_ row: Case) {
    let pipeline = Driven { $0.updateIntervalNanoseconds = ms(row.interval) }
    let counts = row.times.map { pipeline.process(RawSample(ms: $0, 0, 1))?.count ?? 0 }
    #expect(counts == row.counts)
    #expect(pipeline.sequence == row.counts.reduce(0, +) - 1)
    #expect(pipeline.offset.x == 2.5 * Double(row.counts.reduce(0, +)))
  }

  @Test func anOddSpacingIsComparedExactly() {
    var grid = UpdateGrid(interval: 30)
    grid.begin(at: 0)
    #expect(grid.take(at: 27, delta: 5) == 0, "2·3 > 5")
    #expect(grid.take(at: 28, delta: 5) == 1, "2·2 ≤ 5")
  }

  /// Sample and hold: the rule k times with one rate, the angle once.
  @Test func severalUpdatesAtOnce() {
    let samples = [RawSample(ms: 0, 0, 0), RawSample(ms: 120, 0, 1)]
    let rule = Driven()
    #expect(
      rule.feed(samples).last
        == Update(
          sequence: 4, timestampNanoseconds: ms(120), x: 10, y: 0, gap: false, count: 4))
    let angle = Driven {
      $0.integration = .angle
      $0.multiplier = 100
    }
    let update = angle.feed(samples).last
    #expect(update?.count == 4)
    #expect(update?.x == 6)
  }

  /// An interval is changed at 100 ms in a stream of a sample every 10 ms: times of the updates after it.
  static let changes: [(Double, Double, [Double])] = [
    (30, 10, [110, 120, 130, 140]), (30, 20, [110, 130]), (30, 100, [190]), (0, 20, [120, 140]),
    (30, 0, [110, 120, 130, 140]), (30, 30, [120]), (10_000, 20, [120, 140]),
  ]

  @Test(arguments: changes)
  func anotherIntervalKeepsTheStream(_ old: Double, _ new: Double, _ expected: [Double]) {
    let pipeline = Driven { $0.updateIntervalNanoseconds = ms(old) }
    _ = pipeline.turn(0, 1, from: 0, to: 100, step: 10)
    let before = pipeline.pipeline
    pipeline.reconfigure { $0.updateIntervalNanoseconds = ms(new) }
    #expect(pipeline.offset == before.offset)
    #expect(pipeline.sequence == before.sequence)
    #expect(pipeline.timestampNanoseconds == before.timestampNanoseconds)
    let updates = pipeline.turn(0, 1, from: 110, to: expected.max() ?? 0, step: 10)
    #expect(updates.map(\.timestampNanoseconds).prefix(expected.count) == expected.map { ms($0) }[...])
    #expect(updates.allSatisfy { $0.count == 1 && !$0.gap })
  }
}
