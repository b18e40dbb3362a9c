import Glibc
import TestSupport
import Testing

@testable import Motion

/// What gravity adds to step 4.
@Suite struct GravityTests {
  private static let up = Vector3(0, 0, 9.81)

  /// Samples of a device at rest for `seconds`, with a bias, 100 a second; from `start` ms.
  private static func rest(
    _ bias: Vector3, _ acceleration: Vector3?, from start: Double = 0, seconds: Double
  ) -> [RawSample] {
    stride(from: start, to: start + seconds * 1000, by: 10).map {
      RawSample(timestampNanoseconds: ms($0), raw: bias, acceleration: acceleration)
    }
  }

  /// rad about x and y.
  private static func angles(_ pipeline: Driven) -> (x: Double, y: Double) {
    (pipeline.tiltAngle.x, pipeline.tiltAngle.y)
  }

  @Test func aBiasDoesNotShow() {
    let bias = Vector3(0.05, -0.08, 0.02)
    let without = Driven { $0.tilt.range = 3 }
    _ = without.feed(Self.rest(bias, nil, seconds: 300))
    #expect(Self.angles(without).x > 0.24 && Self.angles(without).y < -0.39)
    let with = Driven {
      $0.tilt.range = 3
      $0.biasMode = .off
    }
    _ = with.feed(Self.rest(bias, Self.up, seconds: 300))
    #expect(with.tiltUsesGravity)
    #expect(Self.angles(with).x.magnitude < 1e-4 && Self.angles(with).y.magnitude < 1e-4)
    let learned = with.pipeline.gravity.bias
    #expect((learned.x - bias.x).magnitude < 1e-4 && (learned.y - bias.y).magnitude < 1e-4)
    #expect(learned.z == 0, "gravity says nothing about the vertical")
  }

  /// Of another sensor, or in another frame, what was learned is wrong.
  @Test func whatWasLearnedOfAnotherSensorIsForgotten() {
    var other = SensorModel()
    other.mountMatrix = Matrix3(screenRotation: 180)
    for isAnother in [true, false] {
      let pipeline = Driven { $0.biasMode = .off }
      _ = pipeline.feed(Self.rest(Vector3(0.05, -0.08, 0), Self.up, seconds: 100))
      #expect(pipeline.pipeline.gravity.bias != .zero)
      if isAnother { pipeline.pipeline.forgetSensor() } else { pipeline.pipeline.adopt(model: other) }
      pipeline.pipeline.recenter()
      _ = pipeline.feed(Self.rest(.zero, Self.up, from: 200_000, seconds: 20))
      #expect(pipeline.pipeline.gravity.bias == .zero)
      #expect(Self.angles(pipeline) == (0, 0))
    }
  }

  @Test(arguments: [Vector3(0, 0, -9.81), Vector3(0, 0, 4), Vector3(0, 0, 20)])
  func signAndSizeOfGravityAreOfNoAccount(_ gravity: Vector3) {
    let pipeline = Driven { $0.tilt.range = 3 }
    _ = pipeline.feed(Self.rest(Vector3(0.05, 0, 0), gravity, seconds: 300))
    #expect(Self.angles(pipeline).x.magnitude < 1e-4)
  }

  /// A turn about x that the accelerations follow is the tilt that it would be without them.
  @Test func aTurnIsATurn() {
    let with = Driven { $0.tilt.recenterTime = 0 }
    let without = Driven { $0.tilt.recenterTime = 0 }
    for n in 0...100 {
      let angle = 0.3 * Double(n) / 100
      // The frame turns by the angle: the vertical turns the other way in it.
      let gravity = Vector3(0, 9.81 * sin(angle), 9.81 * cos(angle))
      let rate = Vector3(0.3, 0, 0)
      let stamp = ms(Double(n) * 10)
      _ = with.process(RawSample(timestampNanoseconds: stamp, raw: rate, acceleration: gravity))
      _ = without.process(RawSample(timestampNanoseconds: stamp, raw: rate))
    }
    #expect((Self.angles(without).x - 0.3).magnitude < 1e-9)
    #expect((Self.angles(with).x - 0.3).magnitude < 1e-6)
  }

  /// One that says the same for ever is not believed once the device has turned; a coarse one at rest is.
  @Test func anAccelerometerThatIsStuckIsNotBelieved() {
    let stuck = Driven { $0.biasMode = .off }
    let plain = Driven { $0.biasMode = .off }
    _ = stuck.feed(Self.rest(.zero, Self.up, seconds: 5))
    #expect(stuck.tiltUsesGravity)
    _ = plain.feed(Self.rest(.zero, nil, seconds: 5))
    for (acceleration, pipeline) in [(Self.up, stuck), (nil, plain)] {
      _ = pipeline.feed(Self.rest(Vector3(0, 1, 0), acceleration, from: 5000, seconds: 1))
      _ = pipeline.feed(Self.rest(.zero, acceleration, from: 6000, seconds: 20))
    }
    #expect(!stuck.tiltUsesGravity)
    #expect((Self.angles(stuck).y - Self.angles(plain).y).magnitude < 0.01)
    _ = stuck.feed(Self.rest(.zero, Vector3(0.1, 0, 9.8), from: 26_000, seconds: 1))
    #expect(stuck.tiltUsesGravity)
  }

  /// Bit for bit step 4, whatever the pipeline is told of an accelerometer that says nothing of use.
  @Test(arguments: [
    nil, Vector3(0, 0, 0.5), Vector3(0, 0, 101), Vector3(.nan, 0, 9), Vector3(.infinity, 0, 0),
    Vector3(0, 1e200, 0),
  ])
  func withoutAUsableAccelerationItIsStepFour(_ acceleration: Vector3?) {
    var random = SplitMix64(seed: 7)
    let plain = Driven()
    let other = Driven()
    for n in 0..<1000 {
      let rate = Vector3(
        Double.random(in: -3...3, using: &random), Double.random(in: -3...3, using: &random), 0.1)
      let stamp = Int64(n) * 7_000_000
      _ = plain.process(RawSample(timestampNanoseconds: stamp, raw: rate))
      _ = other.process(RawSample(timestampNanoseconds: stamp, raw: rate, acceleration: acceleration))
      #expect(plain.tiltAngle == other.tiltAngle)
    }
    #expect(!other.tiltUsesGravity)
  }

  @Test func aSilentAccelerometerIsDoneWithout() {
    let pipeline = Driven()
    _ = pipeline.feed(Self.rest(Vector3(0.05, 0, 0), Self.up, seconds: 60))
    #expect(pipeline.tiltUsesGravity)
    _ = pipeline.feed(Self.rest(Vector3(0.05, 0, 0), nil, from: 60_000, seconds: 0.49))
    #expect(pipeline.tiltUsesGravity)
    _ = pipeline.feed(Self.rest(Vector3(0.05, 0, 0), nil, from: 60_490, seconds: 0.2))
    #expect(!pipeline.tiltUsesGravity && pipeline.pipeline.gravity.correction == .zero)
    _ = pipeline.feed(Self.rest(Vector3(0.05, 0, 0), Self.up, from: 60_690, seconds: 0.1))
    #expect(pipeline.tiltUsesGravity)
    #expect(pipeline.pipeline.gravity.bias.x > 0.04, "what was learned is kept")
  }

  @Test func aNewStreamBeginsWithoutAVertical() {
    let pipeline = Driven()
    _ = pipeline.feed(Self.rest(.zero, Self.up, seconds: 1))
    pipeline.pipeline.restart()
    _ = pipeline.process(RawSample(ms: 5000, 0, 0))
    #expect(!pipeline.tiltUsesGravity)
    // Another way up is no turn then.
    _ = pipeline.feed(Self.rest(.zero, Vector3(9.81, 0, 0), from: 5010, seconds: 1))
    #expect(pipeline.tiltUsesGravity && Self.angles(pipeline) == (0, 0))
  }

  @Test func itIsTurnedAsTheRatesAre() {
    let straight = Driven()
    let turned = Driven(SensorModel(mountMatrix: Matrix3(screenRotation: 90))) {
      $0.axes = Matrix3(screenRotation: 270)
    }
    for pipeline in [straight, turned] {
      _ = pipeline.feed(Self.rest(Vector3(0.05, -0.02, 0), Vector3(3, -2, 9), seconds: 10))
    }
    #expect(straight.tilt == turned.tilt && straight.tiltUsesGravity)
    let mirrored = Driven { $0.axes = Matrix3(rows: Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)) }
    _ = mirrored.feed(Self.rest(.zero, Self.up, seconds: 1))
    #expect(!mirrored.tiltUsesGravity && mirrored.pipeline.isMirrored)
  }

  @Test func whateverComesTheStateIsFinite() {
    let seed = UInt64.random(in: .min ... .max)
    print("gravity seed \(seed)")
    var random = SplitMix64(seed: seed)
    let pipeline = Driven()
    var stamp: Int64 = 0
    for _ in 0..<20_000 {
      func number(_ scale: Double) -> Double {
        switch random.next() % 16 {
        case 0: 0
        case 1: Double(bitPattern: random.next())
        case 2: 1e99
        default: Double.random(in: -scale...scale, using: &random)
        }
      }
      stamp += Int64(random.next() % 20_000_000)
      let acceleration = random.next() % 3 == 0 ? nil : Vector3(number(12), number(12), number(12))
      _ = pipeline.process(
        RawSample(
          timestampNanoseconds: stamp, raw: Vector3(number(5), number(5), number(5)),
          acceleration: acceleration))
      let gravity = pipeline.pipeline.gravity
      let all = [pipeline.tilt.x, pipeline.tilt.y] + gravity.vertical.numbers + gravity.bias.numbers
      guard all.allSatisfy({ $0.isFinite && $0.magnitude <= 1.000001 }) else {
        Issue.record("seed \(seed): \(all)")
        return
      }
    }
  }

  /// What gravity has learned is not taken off once more of rates that another bias is taken off of.
  @Test func anotherBiasBeginsAnew() {
    let bias = Vector3(0.05, -0.02, 0)
    let pipeline = Driven { $0.biasMode = .off }
    _ = pipeline.feed(Self.rest(bias, Self.up, seconds: 300))
    #expect((pipeline.pipeline.gravity.bias.x - bias.x).magnitude < 1e-3)
    pipeline.reconfigure {
      $0.biasMode = .fixed
      $0.bias = bias
    }
    _ = pipeline.feed(Self.rest(bias, Self.up, from: 300_000, seconds: 60))
    #expect(pipeline.pipeline.gravity.bias.x.magnitude < 1e-3)
    #expect(Self.angles(pipeline).x.magnitude < 1e-3)
  }
}
