import Motion
import TestSupport
import Testing

@testable import Daemon

/// What is remembered of a bias is read as it was written, or not at all.
@Suite struct BiasRecordTests {
  static let records = [
    BiasRecord(
      sensor: "local:|/sys/devices/a b/i2c-8|bmi160|",
      learned: LearnedBias(Vector3(0.1, -2e-17, 0), variance: 0)),
    BiasRecord(
      sensor: "ip:10.0.0.1|iio:device3|x|gyro-display",
      learned: LearnedBias(Vector3(-0.2, 1.0 / 3, 1), variance: 2.1e-8), temperature: -31.25),
  ]

  @Test(arguments: records)
  func whatIsWrittenIsRead(_ record: BiasRecord) {
    #expect(BiasRecord(Array(record.text.utf8)) == record)
  }

  static let head = "parallaxd bias 1\nsensor a\n"

  @Test(arguments: [
    "", "\n", "parallaxd bias 1\n", "parallaxd bias 2\nsensor a\nbias 0 0 0\nvariance 0\n",
    head + "bias 0 0 0\n", head + "bias 0 0 0\nvariance 0", head + "bias 0 0\nvariance 0\n",
    head + "bias 0 0 nan\nvariance 0\n", head + "bias 0 0 1e999\nvariance 0\n",
    head + "bias 0 0 0x1p3\nvariance 0\n", head + "bias  0 0 0\nvariance 0\n",
    head + "bias 0 0 0\nvariance -1\n", head + "bias 0 0 0\nvariance 1\n",
    head + "bias 0 0 0\nvariance 0\nmore\n", head + "bias 0 0 0\nvariance 0\ntemperature\n",
    head + "bias 0 0 0\nvariance 0\ntemperature 1\n\n",
  ])
  func anythingElseIsNone(_ text: String) {
    #expect(BiasRecord(Array(text.utf8)) == nil)
  }

  @Test func anyBytes() {
    let seed = UInt64.random(in: .min ... .max)
    print("bias record seed \(seed)")
    var random = SplitMix64(seed: seed)
    for _ in 0..<5000 {
      var bytes = Array(Self.records[Int.random(in: 0...1, using: &random)].text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
      }
      guard let record = BiasRecord(bytes) else { continue }
      #expect(record.learned.isKnown && record.temperature?.isFinite != false)
    }
    #expect(BiasRecord([UInt8](repeating: 0x20, count: BiasRecord.largest + 1)) == nil)
  }
}
