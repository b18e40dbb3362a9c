import CNumbers
import Linux
import Motion

/// A recording in the making: the text of a Gyroflow log (.gcsv, version 1.3) with our own keys, which
/// `TraceLayout` reads back to the same model. Pure: bytes in memory, which the caller takes away.
package struct RecordingText: Sendable {
  /// What was written and not yet taken away: whole lines.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// - Parameters:
  ///   - version: of the program.
  ///   - time: seconds since the epoch.
  package mutating func appendHeader(
    _ model: SensorModel, of sensor: RecordedSensor, version: String, time: Int64
  ) {
    line("GYROFLOW IMU LOG")
    line("version,1.3")
    line("id,parallaxd")
    line("vendor,parallaxd")
    line("fwversion,\(Self.field(version))")
    line("timestamp,\(time)")
    line("orientation,\(model.mountMatrix.nearestAxisLetters)")
    if model.nominalFrequency > 0 { line("sample_rate,\(Self.text(model.nominalFrequency))") }
    line("tscale,1e-9")
    // One for all axes, and above 0, is what the format has; ours, below, is per axis and signed.
    line("gscale,\(Self.text(model.scale.x.magnitude))")
    own("scale", model.scale.numbers)
    own("offset", model.offset.numbers)
    own("matrix", model.mountMatrix.numbers)
    own("bias", sensor.bias.numbers)
    if let variance = sensor.biasVariance { own("bias_variance", [variance]) }
    if let mark = model.noDataMark { line("\(RecordedSensor.prefix)no_data,\(Self.text(mark))") }
    own("name", sensor.name)
    own("label", sensor.label)
    own("path", sensor.path)
    own("clock", sensor.clock)
    own("note", sensor.note)
    line("t,gx,gy,gz")
  }

  /// A row: nanoseconds, and the raw values as the shortest text that reads back.
  package mutating func append(_ sample: RawSample) {
    number { cnumbers_format_int64(sample.timestampNanoseconds, $0, $1) }
    for value in [sample.raw.x, sample.raw.y, sample.raw.z] {
      bytes.append(UInt8(ascii: ","))
      number { cnumbers_format_double(value, $0, $1) }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// What has been written is elsewhere now.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  private mutating func own(_ key: String, _ numbers: [Double]) {
    line("\(RecordedSensor.prefix)\(key),\(numbers.map(Self.text).joined(separator: ","))")
  }

  private mutating func own(_ key: String, _ text: String?) {
    if let text { line("\(RecordedSensor.prefix)\(key),\(Self.field(text))") }
  }

  private mutating func line(_ text: String) {
    bytes += Array(text.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// A text that is one field, whoever wrote it: no comma, no quotation mark, no line end.
  private static func field(_ text: String) -> String {
    String(text.printable(limit: RecordedSensor.textLimit).map { $0 == "," || $0 == "\"" ? " " : $0 })
  }

  private static func text(_ value: Double) -> String {
    var buffer = RecordingText()
    buffer.number { cnumbers_format_double(value, $0, $1) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private mutating func number(_ format: (UnsafeMutablePointer<CChar>?, Int) -> Int) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CNUMBERS_CAPACITY)) { text in
      let count = format(text.baseAddress, text.count)
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<count]))
    }
  }
}

extension Matrix3 {
  /// The three letters, as in a .gcsv's `orientation`, whose matrix is nearest to this one: of the six ways to
  /// give each output an input of its own, the one that takes most of the matrix with it.
  package var nearestAxisLetters: String {
    let rows = [x, y, z].map { [$0.x, $0.y, $0.z] }
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    func weight(_ order: [Int]) -> Double { (0..<3).reduce(0) { $0 + rows[$1][order[$1]].magnitude } }
    var best = orders[0]
    for order in orders.dropFirst() where weight(order) > weight(best) { best = order }
    return (0..<3).map { rows[$0][best[$0]] < 0 ? ["x", "y", "z"][best[$0]] : ["X", "Y", "Z"][best[$0]] }
      .joined()
  }
}
