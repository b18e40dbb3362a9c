import Testing

@testable import Motion

/// Rows 8 to 11, and what people do to the offset.
@Suite struct OffsetTests {
  @Test func theLimitClamps() {
    let pipeline = Driven { $0.limit = 6 }
    let updates = pipeline.turn(-1, 1, from: 0, to: 90, step: 30)
    #expect(updates.map(\.x) == [2.5, 5, 6, 6])
    #expect(updates.map(\.y) == [-2.5, -5, -6, -6])
    #expect(pipeline.process(RawSample(ms: 120, 1, -1))?.offset == Offset(x: 3.5, y: -3.5))
  }

  @Test func anElasticLimitGivesWayOutwardOnly() {
    let pipeline = Driven {
      $0.limit = 10
      $0.limitMode = .elastic
    }
    #expect(pipeline.process(RawSample(ms: 0, 0, 2))?.x == 5)
    #expect(pipeline.process(RawSample(ms: 30, 0, 2))?.x == 7.5, "5·(1 − 5/10) outward")
    #expect(pipeline.process(RawSample(ms: 60, 0, -2))?.x == 2.5, "all of it inward")
    #expect(pipeline.process(RawSample(ms: 90, 0, -2))?.x == -2.5, "a step across neutral is inward")
    #expect(pipeline.process(RawSample(ms: 120, 0, -40))?.x == -10, "and never beyond the limit")
    #expect(pipeline.process(RawSample(ms: 150, 0, -40))?.x == -10)
  }

  @Test func aLimitDrawnInsideTheOffsetTakesItBack() {
    let pipeline = Driven { $0.limitMode = .elastic }
    _ = pipeline.process(RawSample(ms: 0, 0, 40))
    pipeline.reconfigure { $0.limit = 10 }
    #expect(pipeline.offset.x == 100, "a reload keeps the offset")
    #expect(pipeline.process(RawSample(ms: 30, 0, 4))?.x == 10)
  }

  @Test func recenterTimeDecaysOncePerEventBeforeAdding() throws {
    let pipeline = Driven { $0.recenterTime = 0.1 }
    _ = pipeline.process(RawSample(ms: 0, 0, 4))
    let update = try #require(pipeline.process(RawSample(ms: 100, 0, 4)))
    #expect(update.count == 3)
    #expect(abs(update.x - (10 * 0.36787944117144233 + 30)) < 1e-12)
  }

  @Test func aClockThatWentBackDecaysNothing() {
    let pipeline = Driven { $0.recenterTime = 0.1 }
    _ = pipeline.process(RawSample(ms: 5000, 0, 4))
    #expect(pipeline.process(RawSample(ms: 0, 0, 0))?.x == 10)
  }

  @Test func theFirstEventDecaysNothing() {
    let pipeline = Driven { $0.recenterTime = 0.1 }
    pipeline.pipeline.pan(x: 3, y: 0)
    #expect(pipeline.process(RawSample(ms: 5000, 0, 0))?.x == 3)
  }

  @Test func panMovesInScreenDirectionWithinTheLimit() {
    let pipeline = Driven {
      $0.limit = 10
      $0.gainX = 5
      $0.maxStep = 1
      $0.limitMode = .elastic
    }
    pipeline.pipeline.pan(x: 4, y: 3)
    #expect(pipeline.offset == Offset(x: 4, y: -3))
    pipeline.pipeline.pan(x: 5, y: -20)
    #expect(pipeline.offset == Offset(x: 9, y: 10))
    pipeline.pipeline.pan(x: .nan, y: 1)
    pipeline.pipeline.pan(x: 1, y: .infinity)
    #expect(pipeline.offset == Offset(x: 9, y: 10))
    #expect(pipeline.sequence == -1)
    #expect(pipeline.timestampNanoseconds == 0)
  }

  @Test func recenterKeepsSequenceAndTime() {
    let pipeline = Driven()
    _ = pipeline.turn(1, 1, from: 0, to: 60, step: 30)
    pipeline.pipeline.recenter()
    #expect(pipeline.offset == .neutral)
    #expect(pipeline.sequence == 2)
    #expect(pipeline.timestampNanoseconds == ms(60))
    #expect(pipeline.process(RawSample(ms: 90, 0, 1))?.x == 2.5)
  }

  /// Nothing that comes in makes the offset infinite.
  @Test(arguments: [MotionSettings.Integration.perUpdate, .angle])
  func theOffsetStaysFinite(_ integration: MotionSettings.Integration) {
    let pipeline = Driven {
      $0.integration = integration
      $0.multiplier = 10_000
      $0.gainX = 100
      $0.gainY = 100
    }
    for (index, rate) in [1e100, 1e100, -1e100, 1e308, 1e100].enumerated() {
      _ = pipeline.process(RawSample(ms: Double(index) * 100, rate, rate))
      pipeline.pipeline.pan(x: .greatestFiniteMagnitude, y: -.greatestFiniteMagnitude)
    }
    #expect(pipeline.offset.x.isFinite && pipeline.offset.y.isFinite)
    #expect(pipeline.counters.invalid == 1)
  }

  static let scales: [(Double, Offset)] = [
    (0, Offset(x: 0, y: 0)), (0.5, Offset(x: -2, y: 3)), (1, Offset(x: -4, y: 6)),
  ]

  @Test(arguments: scales)
  func reducedMotionScalesWhatIsShown(_ scale: Double, _ expected: Offset) {
    let scaled = Offset(x: -4, y: 6).scaled(by: scale)
    #expect(scaled == expected)
    #expect(scale != 0 || scaled.x.sign == .plus)
  }
}
