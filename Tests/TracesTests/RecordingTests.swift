import Motion
import TestSupport
import Testing

@testable import Traces

/// What `parallaxctl record` writes is read back to the same model and samples, bit for bit.
@Suite struct RecordingTests {
  func recorded(_ model: SensorModel, _ sensor: RecordedSensor, _ samples: [RawSample]) -> [UInt8] {
    var text = RecordingText()
    text.appendHeader(model, of: sensor, version: "1.2.3", time: 1_700_000_000)
    for sample in samples { text.append(sample) }
    return text.bytes
  }

  @Test func everythingReadsBack() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("recording seed \(seed)")
    var random = SplitMix64(seed: seed)
    func number(_ limit: Double) -> Double {
      let value = Double.random(in: -limit...limit, using: &random)
      return Bool.random(using: &random) ? value : value * 1e-9
    }
    func vector(_ limit: Double) -> Vector3 { Vector3(number(limit), number(limit), number(limit)) }
    let entry = SensorModel.largestMatrixEntry
    for _ in 0..<300 {
      var model = SensorModel(
        scale: vector(SensorModel.largestScale), offset: vector(SensorModel.largestOffset),
        mountMatrix: Matrix3(rows: vector(entry), vector(entry), vector(entry)),
        nominalFrequency: Bool.random(using: &random) ? number(1000).magnitude : 0)
      model.noDataMark = Bool.random(using: &random) ? -32768 : nil
      var sensor = RecordedSensor()
      sensor.name = Bool.random(using: &random) ? "bmi160" : nil
      sensor.note = Bool.random(using: &random) ? "it begins; in the midst" : nil
      sensor.bias = vector(0.2)
      sensor.biasVariance = Bool.random(using: &random) ? number(1).magnitude : nil
      let samples = (0..<5).map { _ in
        RawSample(
          timestampNanoseconds: Int64.random(in: -(1 << 62)...(1 << 62), using: &random), raw: vector(32768))
      }
      let read = try TraceText(recorded(model, sensor, samples))
      #expect(read.layout.format == .gyroflow)
      #expect(read.layout.model == model && read.layout.hasOrientation)
      #expect(read.layout.recordedSensor == sensor)
      #expect(read.samples == samples && read.errors.isEmpty)
    }
  }

  @Test func theFile() {
    var sensor = RecordedSensor()
    sensor.name = "a,\"b\"\n\u{1b}c"
    let matrix = Matrix3(rows: Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
    let model = SensorModel(
      scale: Vector3(-0.5, 0.25, 1), offset: Vector3(0, 1, 0), mountMatrix: matrix, nominalFrequency: 100)
    let text = recorded(model, sensor, [RawSample(timestampNanoseconds: 12, raw: Vector3(1, -2, 0.5))])
    #expect(
      String(decoding: text, as: UTF8.self) == """
        GYROFLOW IMU LOG
        version,1.3
        id,parallaxd
        vendor,parallaxd
        fwversion,1.2.3
        timestamp,1700000000
        orientation,YxZ
        sample_rate,100
        tscale,1e-9
        gscale,0.5
        parallaxd_scale,-0.5,0.25,1
        parallaxd_offset,0,1,0
        parallaxd_matrix,0,1,0,-1,0,0,0,0,1
        parallaxd_bias,0,0,0
        parallaxd_name,a  b \\u{a}\\u{1b}c
        t,gx,gy,gz
        12,1,-2,0.5

        """)
  }

  /// Without our keys nothing is as if they were there.
  @Test func aForeignFileHasNone() throws {
    let read = try TraceText(
      "GYROFLOW IMU LOG\nscale,5\nbias,1,2,3\nparallaxd_future,x\ntscale,1\ngscale,0.5\nt,gx,gy,gz\n0,1,2,3\n"
    )
    #expect(read.layout.recordedSensor == nil)
    #expect(read.layout.model == SensorModel(scale: Vector3(repeating: 0.5)))
  }

  static let broken: [(String, String)] = [
    ("parallaxd_scale,1,2", "3 numbers"), ("parallaxd_scale,1,2,3,4", "3 numbers"),
    ("parallaxd_scale,1,2,x", "3 numbers"), ("parallaxd_scale,1,2,inf", "3 numbers"),
    ("parallaxd_scale,1,2,1001", "3 numbers"), ("parallaxd_scale,1,0,1", "makes every value 0"),
    ("parallaxd_offset,1e16,0,0", "3 numbers"), ("parallaxd_matrix,1,0,0", "9 numbers"),
    ("parallaxd_matrix,1,0,0,0,1,0,0,0,nan", "9 numbers"), ("parallaxd_bias", "3 numbers"),
    ("parallaxd_bias,101,0,0", "3 numbers"), ("parallaxd_no_data,", "a number"),
    ("parallaxd_name,a\nparallaxd_name,b", "given twice"),
  ]

  @Test(arguments: broken)
  func brokenKeys(_ line: String, _ part: String) {
    let error = #expect(throws: TraceError.self) {
      try TraceText("GYROFLOW IMU LOG\ntscale,1\ngscale,1\n\(line)\nt,gx,gy,gz\n0,1,2,3\n")
    }
    #expect(error?.text.contains(part) == true, "\(String(describing: error))")
  }

  @Test func longTextsAreCut() throws {
    let name = String(repeating: "x", count: 10_000)
    let read = try TraceText("GYROFLOW IMU LOG\ntscale,1\ngscale,1\nparallaxd_name,\(name)\nt,gx,gy,gz\n")
    #expect(read.layout.recordedSensor?.name?.count == RecordedSensor.textLimit + 1)
  }

  /// Whatever a header becomes, it is read or refused, and its numbers stay in their bounds.
  @Test func mutatedHeaders() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("recording headers seed \(seed)")
    var random = SplitMix64(seed: seed)
    var sensor = RecordedSensor()
    sensor.name = "bmi160"
    let good = recorded(
      SensorModel(nominalFrequency: 100), sensor, [RawSample(timestampNanoseconds: 1, raw: Vector3(1, 2, 3))])
    var read = 0
    for _ in 0..<3000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(UInt8(ascii: Bool.random(using: &random) ? "," : "9"), at: at)
        default: bytes.remove(at: at)
        }
      }
      guard let trace = try? TraceText(bytes) else { continue }
      read += 1
      let model = trace.layout.model
      for value in [model.scale.x, model.scale.y, model.scale.z] { #expect(value != 0 && value.isFinite) }
      let bias = trace.layout.recordedSensor?.bias ?? .zero
      #expect(max(bias.x.magnitude, bias.y.magnitude, bias.z.magnitude) <= 100)
    }
    #expect(read > 100)
  }

  static let matrices: [(Matrix3, String)] = [
    (.identity, "XYZ"),
    (Matrix3(rows: Vector3(0, -1, 0), Vector3(1, 0, 0), Vector3(0, 0, -1)), "yXz"),
    (Matrix3(rows: Vector3(0.1, 0.2, -0.97), Vector3(0.99, 0, 0.1), Vector3(0, -0.98, 0.2)), "zXy"),
    // Two rows that both want x.
    (Matrix3(rows: Vector3(0.8, 0.6, 0), Vector3(0.7, -0.7, 0), Vector3(0, 0, 1)), "XyZ"),
  ]

  @Test(arguments: matrices)
  func nearestLetters(_ matrix: Matrix3, _ letters: String) { #expect(matrix.nearestAxisLetters == letters) }
}
