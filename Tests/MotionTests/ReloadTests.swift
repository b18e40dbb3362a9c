import Testing

@testable import Motion

/// A reload keeps offset, sequence and time; which settings begin a new stream.
@Suite struct ReloadTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var beginsAnew: Bool
    var change: @Sendable (inout MotionSettings) -> Void
  }

  static let cases: [Case] = [
    Case(testDescription: "nothing", beginsAnew: false) { _ in },
    Case(testDescription: "the multiplier", beginsAnew: false) { $0.multiplier = 5 },
    Case(testDescription: "a bias", beginsAnew: false) {
      $0.biasMode = .fixed
      $0.bias = Vector3(0.5, 0, 0)
    },
    Case(testDescription: "smoothing", beginsAnew: false) { $0.smoothing = 1 },
    Case(testDescription: "the integration", beginsAnew: false) { $0.integration = .angle },
    Case(testDescription: "the interval", beginsAnew: false) { $0.updateIntervalNanoseconds = 0 },
    Case(testDescription: "the axes", beginsAnew: true) {
      $0.axes = Matrix3(rows: Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, 1))
    },
    Case(testDescription: "the screen's rotation", beginsAnew: true) { $0.screenRotation = 90 },
  ]

  @Test(arguments: cases)
  func aReload(_ row: Case) {
    let pipeline = Driven()
    _ = pipeline.turn(1, 1, from: 0, to: 100, step: 10)
    let before = pipeline.pipeline
    pipeline.reconfigure(row.change)
    #expect(pipeline.offset == before.offset)
    #expect(pipeline.sequence == before.sequence)
    #expect(pipeline.timestampNanoseconds == before.timestampNanoseconds)
    #expect(pipeline.counters == before.counters)
    let updates = pipeline.turn(1, 1, from: 110, to: 150, step: 10)
    #expect(updates.first?.gap == row.beginsAnew)
  }

  @Test func aNewBiasHoldsFromTheNextSampleOn() {
    let pipeline = Driven { $0.updateIntervalNanoseconds = 0 }
    _ = pipeline.process(RawSample(ms: 0, 1, 2))
    pipeline.reconfigure {
      $0.biasMode = .fixed
      $0.bias = Vector3(0.5, 1, 0)
    }
    #expect(pipeline.rate == Vector3(1, 2, 0))
    _ = pipeline.process(RawSample(ms: 10, 1, 2))
    #expect(pipeline.rate == Vector3(0.5, 1, 0))
  }

  /// Smoothing that is switched on begins at the newest rate, not at one from long ago.
  @Test func smoothingBeginsAtTheNewestRate() throws {
    let pipeline = Driven()
    _ = pipeline.turn(0, 3, from: 0, to: 100, step: 10)
    pipeline.reconfigure { $0.smoothing = 10 }
    _ = pipeline.process(RawSample(ms: 110, 0, 0))
    let rate = try #require(pipeline.rate)
    #expect(rate.y > 2.9 && rate.y < 3)
  }
}
