import Motion

/// A synthetic trace that shows what the daemon does on a machine without a gyroscope: a modelled hand tilts
/// a tablet to one side and back, up and back, to a corner and back, every twelve seconds a little
/// differently, for ever.
///
/// A pure function of the index: no state, no allocation, only +, −, · and integers, so that every machine
/// makes the same values. The sensor is modelled on a 16-bit consumer part (Bosch BMI160 at ±2000 °/s, from
/// its data sheet): scale 0.001065 rad/s per LSB, noise density 0.007 °/s/√Hz, a bias of some tenths of a
/// degree per second.
package enum Demonstration {
  /// What its sensor is called, in recordings of it too.
  package static let name = "synthetic demonstration"

  /// Hz.
  package static let sampleRate = 200

  package static let model = SensorModel(
    scale: Vector3(repeating: scale), nominalFrequency: Double(sampleRate))

  /// rad/s per LSB.
  static let scale = 0.001065

  /// rad/s, what the modelled sensor shows at rest.
  static let bias = Vector3(0.0061, -0.0043, 0.0026)

  /// rad/s, one standard deviation: 0.007 °/s/√Hz over half the sampling rate.
  static let noise = 0.007 * ColumnMapping.radiansPerDegree * 10  // √(200 Hz / 2) = 10 √Hz

  private static let samplesPerCycle: Int64 = 2400

  /// A turn and, `hold` later, the same turn back.
  private struct Gesture {
    /// Seconds in the cycle, of a turn, and between the two.
    let start: Double
    let duration: Double
    let hold: Double
    /// Radians about x and y.
    let x: Double
    let y: Double
  }

  private static let gestures: InlineArray<3, Gesture> = [
    Gesture(start: 0.8, duration: 0.7, hold: 0.6, x: 0, y: 0.35),
    Gesture(start: 4.2, duration: 0.8, hold: 0.5, x: 0.30, y: 0),
    Gesture(start: 7.6, duration: 0.9, hold: 0.7, x: -0.26, y: -0.34),
  ]

  /// Sample `index` (from 0), at index · 5 ms.
  package static func sample(_ index: Int64) -> RawSample {
    let (cycle, step) = index.quotientAndRemainder(dividingBy: samplesPerCycle)
    var rate = handRate(cycle: cycle, seconds: Double(step) / Double(sampleRate))
    rate.x += bias.x + tremor(index, period: 23, amplitude: 0.011)
    rate.y += bias.y + tremor(index, period: 21, amplitude: 0.009)
    rate.z += bias.z + tremor(index, period: 26, amplitude: 0.006)
    return RawSample(
      timestampNanoseconds: index * 5_000_000,
      raw: Vector3(quantised(rate.x, index, 0), quantised(rate.y, index, 1), quantised(rate.z, index, 2)))
  }

  /// The hand's own rate, rad/s. A turn is a minimum-jerk movement (Flash & Hogan 1985).
  private static func handRate(cycle: Int64, seconds: Double) -> Vector3 {
    var rate = Vector3.zero
    for index in 0..<3 {
      let gesture = gestures[index]
      let size = 0.8 + 0.4 * uniform(UInt64(bitPattern: cycle) &* 3 &+ UInt64(index), stream: 7)
      let back = gesture.start + gesture.duration + gesture.hold
      let there = bell((seconds - gesture.start) / gesture.duration) / gesture.duration
      let andBack = bell((seconds - back) / gesture.duration) / gesture.duration
      let creep = seconds > 11 ? 1.0 : 0.0
      // The person watches the picture and turns back until it is where it was: a little too far or not far
      // enough, by what the bias has added meanwhile. The hand makes up for that while it rests, slowly.
      let moving = 2 * gesture.duration * movingShare
      let correctionX = gesture.x == 0 ? 0 : bias.x * moving
      let correctionY = gesture.y == 0 ? 0 : bias.y * moving
      rate.x += size * gesture.x * (there - andBack) + correctionX * (creep - andBack)
      rate.y += size * gesture.y * (there - andBack) + correctionY * (creep - andBack)
      rate.z += 0.1 * size * (gesture.y - gesture.x) * (there - andBack)
    }
    return rate
  }

  /// The part of a turn in which it is faster than the default threshold.
  private static let movingShare = 0.86

  /// 30·t²·(1 − t)²: the speed of a minimum-jerk movement of length 1 in the time 1.
  private static func bell(_ t: Double) -> Double {
    t > 0 && t < 1 ? 30 * t * t * (1 - t) * (1 - t) : 0
  }

  /// The trembling of a hand, 8 to 10 Hz: two parabolas, near enough to a sine.
  private static func tremor(_ index: Int64, period: Int64, amplitude: Double) -> Double {
    let phase = 2 * Double(index % period) / Double(period) - 1
    return amplitude * 4 * phase * (1 - (phase < 0 ? -phase : phase))
  }

  /// With noise, as a whole number of LSB within 16 bits.
  private static func quantised(_ rate: Double, _ index: Int64, _ axis: UInt64) -> Double {
    let value = (rate + noise * normal(UInt64(bitPattern: index), stream: axis)) / scale
    return min(max(value.rounded(.toNearestOrEven), -32768), 32767)
  }

  /// Nearly normal, mean 0, deviation 1: the sum of four uniform numbers (Irwin–Hall), scaled.
  private static func normal(_ index: UInt64, stream: UInt64) -> Double {
    let bits = random(index, stream: stream)
    let sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48)
    // Mean 2 · 65535, variance (65536² − 1)/3.
    return (Double(sum) - 131_070) / 37_837.227
  }

  private static func uniform(_ index: UInt64, stream: UInt64) -> Double {
    Double(random(index, stream: stream) >> 11) / 9_007_199_254_740_992  // 2^53
  }

  /// 64 random bits for an index: the output function of SplitMix64 (Steele, Lea & Flood 2014).
  private static func random(_ index: UInt64, stream: UInt64) -> UInt64 {
    var z = (index &* 8 &+ stream &+ 1) &* 0x9e37_79b9_7f4a_7c15
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}
