import Testing

@testable import Motion

/// The rule itself, and what follows ω on its way to s: rows 1, 3, 5 and 7.
@Suite struct RuleTests {
  /// Rates about x and y of one update, and where the offset goes by default.
  static let rule: [(Double, Double, Double, Double)] = [
    (0, 1, 2.5, 0),
    (1, 0, 0, 2.5),
    (-2, 0.5, 1.25, -5),
    (0.1, 0.1, 0, 0),  // strict comparison
    (-0.1, -0.1, 0, 0),
    (0.1.nextUp, 0.1.nextUp, 0.1.nextUp * 2.5, 0.1.nextUp * 2.5),  // the whole rate passes
    (0.05, 3, 7.5, 0),  // per axis
  ]

  @Test(arguments: rule)
  func theDefaultIsTheRule(_ x: Double, _ y: Double, _ expectedX: Double, _ expectedY: Double) throws {
    let pipeline = Driven()
    let update = try #require(pipeline.process(RawSample(ms: 5, x, y, 9)))
    #expect(
      update
        == Update(
          sequence: 0, timestampNanoseconds: ms(5), x: expectedX, y: expectedY, gap: false, count: 1))
    #expect(pipeline.offset == update.offset)
  }

  @Test func updatesAddUp() {
    let pipeline = Driven()
    let updates = pipeline.turn(0, 1, from: 0, to: 300, step: 30)
    #expect(updates.map(\.sequence) == Array(0...10))
    #expect(updates.map(\.x) == (1...11).map { Double($0) * 2.5 })
    #expect(pipeline.counters.samples == 11)
    #expect(pipeline.counters.updates == 11)
  }

  /// θ, ρ, soft?, rate, what passes.
  static let deadZones: [(Double, Double, Bool, Double, Double)] = [
    (0.1, 0.2, false, 0.1, 0), (0.1, 0.2, false, 0.2, 0.2), (0.1, 0.2, false, -0.2, -0.2),
    (0.25, 0.5, true, 0.25, 0), (0.25, 0.5, true, 0.5, 0.375), (0.25, 0.5, true, -0.5, -0.375),
    (0.25, 0.5, true, 0.75, 0.75), (0.25, 0.5, true, -2, -2), (0.25, 0, true, 0.5, 0.5),
    (0.25, 0, true, 0.25, 0), (0, 0, false, 0, 0), (0, 0, false, 1e-9, 1e-9), (0, 1, true, 0.5, 0.5),
  ]

  @Test(arguments: deadZones)
  func deadZone(_ theta: Double, _ rho: Double, _ soft: Bool, _ rate: Double, _ passed: Double) {
    var settings = MotionSettings()
    settings.threshold = theta
    settings.thresholdRecovery = rho
    settings.deadZone = soft ? .soft : .hard
    #expect(settings.passed(rate) == passed)
  }

  @Test func theMeanOfThePendingSamplesIsUsedOrTheNewest() {
    let samples = [
      RawSample(ms: 0, 0, 0), RawSample(ms: 10, 1, 2), RawSample(ms: 20, 3, 4), RawSample(ms: 30, 5, 9),
    ]
    let mean = Driven()
    #expect(mean.feed(samples).last?.offset == Offset(x: 5 * 2.5, y: 3 * 2.5))
    let latest = Driven { $0.sample = .latest }
    #expect(latest.feed(samples).last?.offset == Offset(x: 9 * 2.5, y: 5 * 2.5))
  }

  /// The dead zone is asked about the mean, not about each sample.
  @Test func theMeanGoesThroughTheDeadZone() {
    let pipeline = Driven()
    let samples = [RawSample(ms: 0, 0, 0), RawSample(ms: 10, 0, 0.2), RawSample(ms: 30, 0, -0.1)]
    #expect(pipeline.feed(samples).last?.x == 0)
  }

  @Test func gainInversionAndLargestStep() throws {
    let pipeline = Driven {
      $0.gainX = 2
      $0.gainY = 0.5
      $0.invertX = true
      $0.maxStep = 4
    }
    let first = try #require(pipeline.process(RawSample(ms: 0, 2, 0.5)))
    #expect(first.offset == Offset(x: -2.5, y: 2.5))
    let second = try #require(pipeline.process(RawSample(ms: 30, -9, 3)))
    #expect(second.offset == Offset(x: -6.5, y: -1.5), "steps of −15 and −11.25 are cut to −4")
  }

  @Test func smoothingFollowsTheTimeBetweenSamples() throws {
    let pipeline = Driven {
      $0.smoothing = 0.05
      $0.updateIntervalNanoseconds = 0
      $0.threshold = 0
    }
    _ = pipeline.process(RawSample(ms: 0, 0, 1))
    #expect(pipeline.rate == Vector3(0, 1, 0), "a stream begins at its first rate")
    _ = pipeline.process(RawSample(ms: 50, 0, 0))
    let kept = try #require(pipeline.rate?.y)
    #expect(abs(kept - 0.36787944117144233) < 1e-15)
    _ = pipeline.process(RawSample(ms: 500, 7, 7))
    #expect(pipeline.rate == Vector3(7, 7, 0), "and does not reach over a gap")
  }

  /// A quarter turn is the same angle at any update interval and any sample rate.
  @Test(arguments: [0, 1, 28, 100, 700] as [Double])
  func theAngleDoesNotDependOnTheInterval(_ interval: Double) {
    let pipeline = Driven {
      $0.integration = .angle
      $0.multiplier = 1
      $0.updateIntervalNanoseconds = ms(interval)
    }
    #expect(pipeline.process(RawSample(ms: 0, 0, 0.5))?.x == 0, "no time has passed yet")
    for sample in 1...280 { _ = pipeline.process(RawSample(ms: Double(sample) * 5, 0, 0.5)) }
    #expect(abs(pipeline.offset.x - 0.7) < 1e-12)
    #expect(pipeline.offset.y == 0)
  }

  @Test func theAngleIsOfTrapezoidsWithTheDeadZonePerSample() {
    let pipeline = Driven {
      $0.integration = .angle
      $0.multiplier = 10
      $0.updateIntervalNanoseconds = 0
    }
    _ = pipeline.process(RawSample(ms: 0, 0.1, 0))
    let update = pipeline.process(RawSample(ms: 250, 0.4, 4))
    #expect(update?.offset == Offset(x: 5, y: 0.5))
  }

  @Test func theDefaultMultipliersMoveThePictureAlike() {
    #expect(MotionSettings().multiplier == MotionSettings.multiplierPerUpdate)
    #expect(MotionSettings.multiplierPerRadian == 2.5 / 0.03)
  }
}
