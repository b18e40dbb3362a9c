import TestSupport
import Testing

@testable import Motion

/// What the automatic bias learns, and what it must not: tables of what a sensor says.
@Suite struct BiasTests {
  /// A sensor at `hertz` that says the same with noise, coarsely if `step` is not 0.
  struct Sensor {
    var bias = Vector3(0.02, -0.03, 0.01)
    var noise = 0.002
    var hertz = 100.0
    var step = 0.0
    private var random = SplitMix64(seed: 5)
    private(set) var nanoseconds: Int64 = 0

    init(_ set: (inout Sensor) -> Void = { _ in }) { set(&self) }

    /// The next sample, of a device that turns.
    mutating func next(turning turn: Vector3 = .zero) -> RawSample {
      nanoseconds += Int64(1e9 / hertz)
      let noise = noise
      return RawSample(
        timestampNanoseconds: nanoseconds,
        raw: Vector3(
          rounded(bias.x + turn.x + noise * deviate()), rounded(bias.y + turn.y + noise * deviate()),
          rounded(bias.z + turn.z + noise * deviate())))
    }

    mutating func pause(_ seconds: Double) { nanoseconds += Int64(seconds * 1e9) }

    private func rounded(_ value: Double) -> Double { step > 0 ? (value / step).rounded() * step : value }

    /// Of variance 1, near enough to a normal one.
    private mutating func deviate() -> Double {
      var sum = -6.0
      for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &random) }
      return sum
    }
  }

  /// Lets a pipeline have `seconds` of the sensor; `turn` says at which rate the device turns, by seconds.
  static func feed(
    _ pipeline: Driven, _ sensor: inout Sensor, seconds: Double,
    turn: (Double) -> Vector3 = { _ in .zero }
  ) {
    for index in 0..<Int(seconds * sensor.hertz) {
      _ = pipeline.process(sensor.next(turning: turn(Double(index) / sensor.hertz)))
    }
  }

  static func distance(_ one: Vector3, _ other: Vector3) -> Double {
    max((one.x - other.x).magnitude, (one.y - other.y).magnitude, (one.z - other.z).magnitude)
  }

  struct Rest: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// rad/s that the estimate may be off after ten seconds.
    var within: Double
    var set: @Sendable (inout Sensor) -> Void
  }

  @Test(arguments: [
    Rest(testDescription: "an ordinary one", within: 0.0005) { _ in },
    Rest(testDescription: "a quiet one", within: 0.0001) { $0.noise = 0.0002 },
    Rest(testDescription: "a noisy one", within: 0.003) { $0.noise = 0.012 },
    Rest(testDescription: "18 Hz", within: 0.001) { $0.hertz = 18 },
    Rest(testDescription: "4 kHz", within: 0.0005) { $0.hertz = 4000 },
    Rest(testDescription: "a large bias", within: 0.0005) { $0.bias = Vector3(0.19, -0.19, 0.15) },
    Rest(testDescription: "steps of the noise's size", within: 0.001) { $0.step = 0.002 },
    Rest(testDescription: "steps above the noise, of a slow sensor", within: 0.001) {
      $0.hertz = 10
      $0.step = 0.00175
      $0.noise = 0.0006
    },
    Rest(testDescription: "coarse steps", within: 0.004) {
      $0.step = 0.01
      $0.noise = 0.005
    },
  ])
  func aRestingSensor(_ row: Rest) {
    let pipeline = Driven()
    var sensor = Sensor(row.set)
    Self.feed(pipeline, &sensor, seconds: 10)
    #expect(Self.distance(pipeline.bias, sensor.bias) < row.within, "\(pipeline.bias)")
    let confidence = pipeline.pipeline.biasConfidence ?? 0
    #expect(confidence > 0 && confidence < 1)
  }

  struct Unlearned: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var set: @Sendable (inout Sensor) -> Void = { _ in }
    var turn: @Sendable (Double) -> Vector3 = { _ in .zero }
  }

  @Test(arguments: [
    Unlearned(testDescription: "identical scans", set: { $0.noise = 0 }),
    Unlearned(
      testDescription: "identical scans of a slow sensor",
      set: {
        $0.noise = 0
        $0.hertz = 10
      }),
    Unlearned(
      testDescription: "scans that are identical but for one in forty", set: { $0.noise = 0 },
      turn: { Vector3(Int(($0 * 100).rounded()) % 40 == 0 ? 0.001 : 0, 0, 0) }),
    Unlearned(testDescription: "a bias beyond max_bias", set: { $0.bias = Vector3(0, 0.21, 0) }),
    Unlearned(testDescription: "no numbers", set: { $0.bias = Vector3(.nan, 0, 0) }),
    Unlearned(testDescription: "numbers without end", set: { $0.bias = Vector3(0, 1e99, 0) }),
    Unlearned(testDescription: "a slow swing", turn: { Vector3(0, 0.02 * sinus($0, period: 4), 0) }),
    Unlearned(testDescription: "a turn that grows", turn: { Vector3(0, 0, 0.01 * $0) }),
    Unlearned(testDescription: "motors", set: { $0.noise = 0.03 }),
    Unlearned(
      testDescription: "a tap every second", turn: { Vector3($0 - $0.rounded(.down) < 0.005 ? 0.3 : 0, 0, 0) }
    ),
  ])
  func whatIsNoRest(_ row: Unlearned) {
    let pipeline = Driven()
    var sensor = Sensor(row.set)
    Self.feed(pipeline, &sensor, seconds: 20, turn: row.turn)
    #expect(pipeline.bias == .zero)
    #expect(pipeline.pipeline.biasConfidence == 0)
  }

  /// A parabola for a sine: the pure core has none.
  static func sinus(_ time: Double, period: Double) -> Double {
    let phase = (time / period - (time / period).rounded(.down)) * 2 - 1
    return 4 * phase * (1 - phase.magnitude)
  }

  @Test func `a slow turn is motion for a minute, and then the bias`() {
    let pipeline = Driven()
    var sensor = Sensor()
    Self.feed(pipeline, &sensor, seconds: 10)
    let before = pipeline.bias
    Self.feed(pipeline, &sensor, seconds: 58) { _ in Vector3(0, 0.01, 0) }
    #expect(Self.distance(pipeline.bias, before) < 0.0002, "\(pipeline.bias)")
    Self.feed(pipeline, &sensor, seconds: 8) { _ in Vector3(0, 0.01, 0) }
    #expect((pipeline.bias.y - before.y - 0.01).magnitude < 0.0005, "\(pipeline.bias)")
  }

  @Test func `what departs and is disturbed must last a minute anew`() {
    let pipeline = Driven()
    var sensor = Sensor()
    Self.feed(pipeline, &sensor, seconds: 10)
    let before = pipeline.bias
    for _ in 0..<3 {
      Self.feed(pipeline, &sensor, seconds: 50) { Vector3($0 < 0.1 ? 0.5 : 0, 0.01, 0) }
    }
    #expect(Self.distance(pipeline.bias, before) < 0.0002, "\(pipeline.bias)")
  }

  @Test func `a slow drift of the temperature is followed`() {
    let pipeline = Driven()
    var sensor = Sensor()
    Self.feed(pipeline, &sensor, seconds: 10)
    Self.feed(pipeline, &sensor, seconds: 300) { Vector3(0.02 * $0 / 300, 0, 0) }
    #expect((pipeline.bias.x - sensor.bias.x - 0.02).magnitude < 0.001, "\(pipeline.bias)")
  }

  @Test func `a change comes in steps, and never jumps past`() {
    let pipeline = Driven()
    var sensor = Sensor()
    Self.feed(pipeline, &sensor, seconds: 10)
    var newest = pipeline.bias.y
    var largest = 0.0
    for _ in 0..<7000 {
      _ = pipeline.process(sensor.next(turning: Vector3(0, 0.01, 0)))
      largest = max(largest, pipeline.bias.y - newest)
      newest = pipeline.bias.y
    }
    #expect(largest > 0.001 && largest < 0.004)
  }

  @Test func `a gap discards the open window, not the estimate`() {
    let pipeline = Driven()
    var sensor = Sensor()
    for _ in 0..<20 {
      Self.feed(pipeline, &sensor, seconds: 2.4)
      sensor.pause(1)
    }
    #expect(pipeline.bias == .zero)
    Self.feed(pipeline, &sensor, seconds: 10)
    let learned = pipeline.bias
    #expect(learned != .zero)
    sensor.pause(1000)
    pipeline.pipeline.restart()
    Self.feed(pipeline, &sensor, seconds: 1)
    #expect(Self.distance(pipeline.bias, learned) < 0.0002)
  }

  @Test func `a reload keeps what was learned, whatever the mode was meanwhile`() {
    let pipeline = Driven()
    var sensor = Sensor()
    Self.feed(pipeline, &sensor, seconds: 10)
    let learned = pipeline.bias
    pipeline.reconfigure { $0.multiplier = 3 }
    #expect(pipeline.bias == learned)
    pipeline.reconfigure { $0.biasMode = .off }
    #expect(pipeline.bias == .zero)
    #expect(pipeline.pipeline.biasConfidence == nil)
    Self.feed(pipeline, &sensor, seconds: 10)
    #expect(pipeline.bias == .zero)
    pipeline.reconfigure { $0.biasMode = .auto }
    #expect(pipeline.bias == learned)
    pipeline.reconfigure { $0.maxBias = 0.025 }
    #expect(pipeline.bias == .zero)
  }

  @Test func `what was learned at another time holds at once, is doubted, and is bounded`() {
    let pipeline = Driven()
    let other = Vector3(0.1, 0.05, -0.02)
    for wrong in [
      LearnedBias(Vector3(0.3, 0, 0), variance: 0), LearnedBias(Vector3(.nan, 0, 0), variance: 0),
      LearnedBias(other, variance: .nan), LearnedBias(other, variance: -1), .none,
    ] {
      pipeline.pipeline.adopt(LearnedBias(other, variance: 1e-6))
      #expect(pipeline.bias == other)
      #expect(pipeline.pipeline.biasConfidence == 0.5)
      pipeline.pipeline.adopt(wrong)
      #expect(pipeline.bias == .zero)
      #expect(pipeline.pipeline.biasConfidence == 0)
    }
    pipeline.pipeline.adopt(LearnedBias(other, variance: 0))
    #expect(pipeline.pipeline.biasConfidence == 1)
    #expect(LearnedBias(other, variance: 0).doubted.confidence == 0.8)
  }

  /// So that what was recorded is computed as it was live.
  @Test func `after a restart a fresh pipeline says the same from what was learned`() {
    let one = Driven()
    var sensor = Sensor()
    Self.feed(one, &sensor, seconds: 10.1)
    sensor.noise = 0.004
    Self.feed(one, &sensor, seconds: 3.3)
    one.pipeline.restart()
    let other = Driven()
    other.pipeline.adopt(one.pipeline.learnedBias)
    for _ in 0..<2000 {
      let sample = sensor.next()
      _ = one.process(sample)
      _ = other.process(sample)
      #expect(one.bias == other.bias)
    }
    #expect(one.pipeline.learnedBias == other.pipeline.learnedBias)
  }
}
