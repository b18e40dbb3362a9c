import Glibc
import Testing

@testable import Motion

/// Step 4 of the processing order.
@Suite struct TiltTests {
  private static func near(_ a: Tilt, _ x: Double, _ y: Double) -> Bool {
    abs(a.x - x) < 1e-12 && abs(a.y - y) < 1e-12
  }

  @Test func aSteadyRateComesToWhatFadesAsFast() {
    let pipeline = Driven { $0.tilt.range = 3 }
    _ = pipeline.turn(0.1, -0.2, from: 0, to: 2000, step: 10)
    let angle = 5 * (1 - exp(-2.0 / 5))
    #expect(Self.near(pipeline.tilt, -0.2 * angle / 3, 0.1 * angle / 3))
    _ = pipeline.turn(0.1, -0.2, from: 2010, to: 200_000, step: 10)
    #expect(Self.near(pipeline.tilt, -1.0 / 3, 0.5 / 3))
  }

  @Test func ratesBelowTheThresholdCount() {
    let pipeline = Driven {
      $0.threshold = 10
      $0.tilt.recenterTime = 0
      $0.tilt.range = 1
    }
    _ = pipeline.turn(0.01, 0.02, from: 0, to: 10_000, step: 10)
    #expect(Self.near(pipeline.tilt, 0.2, 0.1))
    #expect(pipeline.offset == .neutral)
  }

  @Test func theClampedAngleIsTheState() {
    let pipeline = Driven { $0.tilt.recenterTime = 0 }
    _ = pipeline.turn(0, 10, from: 0, to: 1000, step: 10)
    #expect(pipeline.tilt == Tilt(x: 1, y: 0))
    _ = pipeline.turn(0, -0.35, from: 1010, to: 1500, step: 10)
    // The mean of 10 and −0.35 first, up to the range; then half a second less 10 ms back.
    #expect(Self.near(pipeline.tilt, 1 - 0.49, 0))
  }

  @Test func aNewStreamOnlyFades() {
    let pipeline = Driven()
    _ = pipeline.turn(0, 0.2, from: 0, to: 1000, step: 10)
    let before = pipeline.tilt.x
    _ = pipeline.process(RawSample(ms: 3000, 0, 100))
    #expect(Self.near(pipeline.tilt, before * exp(-2.0 / 5), 0))
    pipeline.pipeline.restart()
    _ = pipeline.process(RawSample(ms: 4000, 0, 100))
    #expect(Self.near(pipeline.tilt, before * exp(-3.0 / 5), 0))
    // Back to the beginning, as at a lap of a replay.
    _ = pipeline.process(RawSample(ms: 0, 0, 100))
    #expect(Self.near(pipeline.tilt, before * exp(-3.0 / 5), 0))
  }

  @Test func withoutATimeConstantNothingFades() {
    let pipeline = Driven { $0.tilt.recenterTime = 0 }
    _ = pipeline.turn(0.1, 0, from: 0, to: 1000, step: 10)
    let before = pipeline.tilt
    _ = pipeline.process(RawSample(ms: 3_600_000, 0, 0))
    #expect(pipeline.tilt == before)
  }

  @Test func recenterMakesItNeutral() {
    let pipeline = Driven()
    _ = pipeline.turn(0.1, 0.1, from: 0, to: 1000, step: 10)
    pipeline.pipeline.recenter()
    #expect(pipeline.tilt == .neutral)
  }

  @Test func aSmallerRangeBringsItInside() {
    let pipeline = Driven()
    _ = pipeline.turn(0, 10, from: 0, to: 1000, step: 10)
    pipeline.reconfigure { $0.tilt.range = 0.1 }
    #expect(pipeline.tilt == Tilt(x: 1, y: 0))
    pipeline.reconfigure { $0.tilt.range = 0.2 }
    #expect(pipeline.tilt == Tilt(x: 0.5, y: 0))
  }

  @Test func anotherPipelineGoesOnFromIt() {
    let pipeline = Driven()
    let stamp = ms(1000)
    pipeline.pipeline.resume(
      sequence: 7, timestampNanoseconds: stamp, offset: .neutral, tilt: TiltAngle(x: 0.1, y: -0.5))
    #expect(Self.near(pipeline.tilt, -1, 0.1 / 0.35))
    _ = pipeline.process(RawSample(ms: 6000, 1, 1))
    #expect(Self.near(pipeline.tilt, -exp(-1), 0.1 / 0.35 * exp(-1)))
    pipeline.pipeline.resume(
      sequence: 7, timestampNanoseconds: stamp, offset: .neutral, tilt: TiltAngle(x: .nan, y: 0))
    #expect(pipeline.tilt == .neutral)
  }

  @Test func nothingElseDependsOnIt() {
    let with = Driven()
    let without = Driven()
    without.pipeline.keepsTilt = false
    let updates = with.turn(0.3, -0.4, from: 0, to: 1000, step: 7)
    #expect(without.turn(0.3, -0.4, from: 0, to: 1000, step: 7) == updates)
    #expect(with.tilt != .neutral && without.tilt == .neutral)
  }
}
