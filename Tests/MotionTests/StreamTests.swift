import Testing

@testable import Motion

/// Rows 0 and 2: what is dropped, and where a stream begins.
@Suite struct StreamTests {
  /// What the second sample of a running stream is to the pipeline.
  enum Fate: Sendable { case follows, gap, clockStep, outOfOrder, invalid }

  /// Δ in nanoseconds with G = 250 ms.
  static let arrivals: [(Int64, Fate)] = [
    (1, .follows), (ms(250), .follows), (ms(250) + 1, .gap), (1 << 61, .gap), (0, .outOfOrder),
    (-1, .outOfOrder), (-ms(250), .outOfOrder), (-ms(250) - 1, .clockStep), (-(1 << 61), .clockStep),
  ]

  @Test(arguments: arrivals)
  func arrival(_ delta: Int64, _ fate: Fate) {
    let pipeline = Driven { $0.updateIntervalNanoseconds = 0 }
    let start: Int64 = 1000
    _ = pipeline.process(RawSample(timestampNanoseconds: start, raw: Vector3(0, 1, 0)))
    let before = pipeline.pipeline
    let update = pipeline.process(RawSample(timestampNanoseconds: start + delta, raw: Vector3(0, 1, 0)))
    let isTaken = fate != .outOfOrder
    #expect((update != nil) == isTaken)
    #expect(update?.gap ?? false == (fate == .gap || fate == .clockStep))
    #expect(pipeline.counters.samples == (isTaken ? 2 : 1))
    #expect(pipeline.counters.gaps == (fate == .gap ? 1 : 0))
    #expect(pipeline.counters.clockSteps == (fate == .clockStep ? 1 : 0))
    #expect(pipeline.counters.outOfOrder == (fate == .outOfOrder ? 1 : 0))
    if !isTaken {
      #expect(pipeline.offset == before.offset)
      #expect(pipeline.newestSample == before.newestSample)
    }
  }

  static let invalid: [RawSample] = [
    RawSample(ms: 31, .nan, 0), RawSample(ms: 31, 0, .infinity), RawSample(ms: 31, 0, 0, -.infinity),
    RawSample(ms: 31, 0, 0, 1e300), RawSample(ms: 31, -32768, -32768, -32768),
    RawSample(timestampNanoseconds: (1 << 62) + 1, raw: .zero),
    RawSample(timestampNanoseconds: -(1 << 62) - 1, raw: .zero),
    RawSample(timestampNanoseconds: .max, raw: .zero), RawSample(timestampNanoseconds: .min, raw: .zero),
  ]

  @Test(arguments: invalid)
  func anInvalidSampleChangesNothing(_ sample: RawSample) {
    let good = [RawSample(ms: 0, 0, 1), RawSample(ms: 30, 0, 1), RawSample(ms: 60, 0, 1)]
    let pipeline = Driven(SensorModel(noDataMark: -32768)) { $0.smoothing = 0.1 }
    let reference = Driven { $0.smoothing = 0.1 }
    let expected = reference.feed(good)
    #expect(pipeline.feed([sample, good[0], good[1], sample, good[2], sample]) == expected)
    #expect(pipeline.counters.invalid == 3)
    #expect(pipeline.counters.samples == 3)
  }

  @Test func theNoDataMarkOnTwoAxesIsASample() {
    let pipeline = Driven(SensorModel(noDataMark: -32768))
    #expect(pipeline.process(RawSample(ms: 0, -32768, -32768, 1)) != nil)
    #expect(pipeline.counters.invalid == 0)
  }

  @Test func theEndsOfTimeAreTimes() {
    let pipeline = Driven { $0.recenterTime = 1 }
    for stamp: Int64 in [-(1 << 62), 1 << 62, -(1 << 62), 1 << 62] {
      #expect(pipeline.process(RawSample(timestampNanoseconds: stamp, raw: Vector3(0, 1, 0))) != nil)
    }
    #expect(pipeline.sequence == 3)
    #expect(pipeline.counters.gaps == 2)
    #expect(pipeline.counters.clockSteps == 1)
    #expect(pipeline.offset.x == 2.5, "nothing is left of before after so long")
  }

  /// max_gap, T, nominal frequency, G.
  static let gapLimits: [(Double, Double, Double, Int64)] = [
    (250, 30, 0, ms(250)), (20, 30, 0, ms(90)), (20, 0, 0, ms(20)), (250, 10_000, 0, ms(30_000)),
    (250, 30, 200, ms(250)), (250, 30, 5, ms(600)), (250, 30, 7, 428_571_429),
    (250, 30, 1e-300, ms(3 * 3600_000)), (250, 30, -1, ms(250)), (250, 30, .nan, ms(250)),
    (250, 30, .infinity, ms(250)),
  ]

  @Test(arguments: gapLimits)
  func gapLimit(_ maxGap: Double, _ interval: Double, _ frequency: Double, _ expected: Int64) {
    let pipeline = Driven(SensorModel(nominalFrequency: frequency)) {
      $0.maxGapNanoseconds = ms(maxGap)
      $0.updateIntervalNanoseconds = ms(interval)
    }
    #expect(pipeline.gapLimit == expected)
  }

  @Test func aNewStreamOwesOneUpdateAtItsOwnRate() {
    let pipeline = Driven()
    _ = pipeline.feed([RawSample(ms: 0, 0, 1), RawSample(ms: 10, 0, 100)])
    let update = pipeline.process(RawSample(ms: 1000, 0, 2))
    #expect(
      update
        == Update(
          sequence: 1, timestampNanoseconds: ms(1000), x: 7.5, y: 0, gap: true, count: 1))
    #expect(pipeline.process(RawSample(ms: 1014, 0, 2)) == nil)
    #expect(pipeline.process(RawSample(ms: 1028, 0, 2))?.gap == false, "the grid is 1000 + n·30")
  }

  @Test func aRestartBeginsAStreamWhateverTheTime() {
    let pipeline = Driven()
    _ = pipeline.feed([RawSample(ms: 0, 0, 1), RawSample(ms: 30, 0, 1), RawSample(ms: 40, 0, 50)])
    pipeline.pipeline.restart()
    #expect(pipeline.rate == nil)
    let update = pipeline.process(RawSample(ms: 20, 0, 1))
    #expect(
      update
        == Update(
          sequence: 2, timestampNanoseconds: ms(20), x: 7.5, y: 0, gap: true, count: 1))
    #expect(pipeline.counters.clockSteps == 0)
    #expect(pipeline.counters.gaps == 0)
    #expect(pipeline.process(RawSample(ms: 19, 0, 1)) == nil)
    #expect(pipeline.counters.outOfOrder == 1)
  }

  @Test func aSensorOpenedAgainBringsItsModel() {
    let pipeline = Driven()
    _ = pipeline.process(RawSample(ms: 0, 0, 1))
    pipeline.pipeline.adopt(model: SensorModel(scale: Vector3(repeating: 2)))
    let update = pipeline.process(RawSample(ms: 1, 0, 1))
    #expect(update?.x == 7.5)
    #expect(update?.gap == true)
  }

  /// The first stream of all is no gap, even when it is begun twice.
  @Test func updateZeroIsNoGap() {
    let pipeline = Driven()
    pipeline.pipeline.restart()
    #expect(pipeline.sequence == -1)
    #expect(pipeline.process(RawSample(ms: 900, 0, 0))?.gap == false)
  }
}
