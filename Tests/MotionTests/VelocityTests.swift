import Testing

@testable import Motion

/// What readers of the page extrapolate with; no offset is computed from it.
@Suite struct VelocityTests {
  /// 1 rad/s makes 2.5 points an update; updates every 30 ms.
  @Test func movementOverTheTimeItTook() {
    let pipeline = Driven()
    #expect(pipeline.velocity == .neutral)
    _ = pipeline.turn(1, -2, from: 0, to: 0, step: 10)
    #expect(pipeline.velocity == .neutral, "there is no update before the first")
    _ = pipeline.turn(1, -2, from: 10, to: 30, step: 10)
    #expect(pipeline.velocity == Offset(x: -5 / 0.03, y: 2.5 / 0.03))
    // Between updates it stays; then the device rests.
    _ = pipeline.turn(0, 0, from: 40, to: 40, step: 10)
    #expect(pipeline.velocity.y == 2.5 / 0.03)
    _ = pipeline.turn(0, 0, from: 50, to: 90, step: 10)
    #expect(pipeline.velocity == .neutral)
  }

  /// A slow sensor owes several updates at once: together they took the time between its samples.
  @Test func severalUpdatesAtOnce() {
    let pipeline = Driven()
    _ = pipeline.feed([RawSample(ms: 0, 0, 1), RawSample(ms: 90, 0, 1)])
    #expect(pipeline.sequence == 3)
    #expect(pipeline.velocity == Offset(x: 7.5 / 0.09, y: 0))
  }

  /// What a limit holds back does not move.
  @Test func atALimit() {
    let pipeline = Driven { $0.limit = 3 }
    _ = pipeline.turn(0, 1, from: 0, to: 30, step: 30)
    #expect(pipeline.offset.x == 3 && pipeline.velocity.x == 0.5 / 0.03)
    _ = pipeline.turn(0, 1, from: 60, to: 60, step: 30)
    #expect(pipeline.offset.x == 3 && pipeline.velocity.x == 0)
  }

  @Test func endings() {
    let ways: [(String, (inout Pipeline) -> Void)] = [
      ("a restart", { $0.restart() }), ("another sensor", { $0.adopt(model: SensorModel()) }),
      ("recentered", { $0.recenter() }), ("panned", { $0.pan(x: 1, y: 2) }),
      ("a gap", { _ = $0.process(RawSample(ms: 9000, 0, 1)) }),
      ("the clock set back", { _ = $0.process(RawSample(ms: -9000, 0, 1)) }),
    ]
    for (name, end) in ways {
      let pipeline = Driven()
      _ = pipeline.turn(0, 1, from: 0, to: 30, step: 30)
      #expect(pipeline.velocity.x > 0)
      end(&pipeline.pipeline)
      #expect(pipeline.velocity == .neutral, "\(name)")
    }
  }
}
