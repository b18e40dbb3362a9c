import TestSupport
import Testing

@testable import Motion

/// What the pipeline says that it did is what it did.
@Suite struct MovementTests {
  /// Another offset that is given the movements alone ends where the pipeline does, bit for bit.
  @Test(arguments: [
    (MotionSettings.Integration.perUpdate, MotionSettings.LimitMode.clamp, 0.0), (.perUpdate, .elastic, 0.2),
    (.angle, .clamp, 0.2), (.angle, .elastic, 0),
  ])
  func theOffsetFollowsFromMovements(
    _ integration: MotionSettings.Integration, _ mode: MotionSettings.LimitMode, _ recenterTime: Double
  ) {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SplitMix64(seed: seed)
    let pipeline = Driven {
      $0.integration = integration
      $0.multiplier = 20
      $0.limit = 15
      $0.limitMode = mode
      $0.recenterTime = recenterTime
    }
    var x = 0.0
    var y = 0.0
    var updates = 0
    var time = 0.0
    for _ in 0..<400 {
      time += Double.random(in: 1...200, using: &random).rounded()
      let rates = (0..<2).map { _ in Double.random(in: -3...3, using: &random) }
      guard let update = pipeline.process(RawSample(ms: time, rates[0], rates[1])) else { continue }
      updates += 1
      let movement = pipeline.pipeline.movement
      #expect(movement.repetitions == (integration == .angle ? 1 : update.count))
      x *= movement.kept
      y *= movement.kept
      for _ in 0..<movement.repetitions {
        x = movement.bound.moved(x, by: movement.step.x)
        y = movement.bound.moved(y, by: movement.step.y)
      }
      #expect(update.offset == Offset(x: x, y: y))
    }
    #expect(updates > 100)
  }

  @Test(arguments: [(0, 3.0, -4.0), (90, 4, 3), (180, -3, 4), (270, -4, -3)])
  func offsetsTurnAsPicturesDo(_ degrees: Int, _ x: Double, _ y: Double) {
    #expect(Offset(x: 3, y: -4).turned(by: degrees) == Offset(x: x, y: y))
    let neutral = Offset.neutral.turned(by: degrees)
    #expect(neutral.x.sign == .plus && neutral.y.sign == .plus)
  }
}
