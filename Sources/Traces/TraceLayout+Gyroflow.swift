import Linux
import Motion

extension TraceLayout {
  /// The first lines of a Gyroflow log.
  static let gyroflowMarks = ["GYROFLOW IMU LOG", "CAMERA IMU LOG"]

  /// A Gyroflow log (https://docs.gyroflow.xyz/app/technical-details/gcsv-format): the mark, rows of
  /// `key,value`, then `t,gx,gy,gz` and more columns.
  ///
  /// Read of the keys: `tscale` (seconds per tick) and `gscale` (rad/s per LSB), which must be there;
  /// `orientation` (absent: the axes are the device's) and `sample_rate` (Hz, absent: unknown). Where
  /// tscale·10^9 is whole, a whole tick becomes nanoseconds by one integer multiplication; otherwise the
  /// exact product is rounded, half to even. `vendor` and `id` name the device, for people.
  ///
  /// `ascale` (g per LSB) and the columns `ax,ay,az`, where all are there, are accelerations along the same axes.
  ///
  /// A recording of `parallaxctl record` has more keys (see `RecordedSensor`), which go before these.
  init(gyroflow header: HeaderText) throws(TraceError) {
    var keys = GyroflowKeys()
    for line in header.lines.dropFirst() where !line.isBlank {
      let fields = line.fields(separatedBy: UInt8(ascii: ","))
      guard ["t", "time"].contains(fields.names[0]) else {
        try keys.take(fields)
        continue
      }
      var columns = [0]
      for name in ["gx", "gy", "gz"] { columns.append(try fields.column(named: name)) }
      self.init(
        format: .gyroflow, time: try keys.timeScale(before: line), separator: UInt8(ascii: ","),
        lineEnd: header.lineEnd, columns: columns, names: ["t", "gx", "gy", "gz"], firstRow: line.next,
        firstRowLine: line.number + 1)
      model.scale = Vector3(repeating: try keys.rateScale(before: line))
      if let matrix = try keys.orientation {
        model.mountMatrix = matrix
        hasOrientation = true
      }
      model.nominalFrequency = try keys.sampleRate ?? 0
      accelerations = keys.accelerations(in: fields)
      try keys.own.apply(to: &self)
      deviceName = keys.deviceName
      return
    }
    throw TraceError("the row \"t,gx,gy,gz\" that ends the header of a .gcsv is not in its first lines")
  }
}

/// The rows of `key,value` before the table of a Gyroflow log.
private struct GyroflowKeys {
  private typealias Value = (text: String, line: Int)

  /// Of keys that say how the table is read.
  private var values: [String: Value] = [:]
  private(set) var own = RecordedKeys()
  /// Vendor and model, as they come.
  private var device: [String] = []

  /// For people; nil where nothing is said.
  var deviceName: String? { device.isEmpty ? nil : device.joined(separator: " ") }

  /// Takes a row of the header; an unknown key is passed over.
  mutating func take(_ fields: HeaderFields) throws(TraceError) {
    try own.take(fields)
    guard fields.names.count > 1 else { return }
    let (key, text) = (fields.names[0], fields.names[1])
    switch key {
    case "vendor", "id":
      if device.count < 2 { device.append(text.printable(limit: RecordedSensor.textLimit)) }
    case "tscale", "gscale", "ascale", "orientation", "sample_rate":
      guard values.updateValue((text, fields.line), forKey: key) == nil else {
        throw TraceError(line: fields.line, "\(key) is given twice")
      }
    default: break
    }
  }

  /// Of the times.
  func timeScale(before table: HeaderLine) throws(TraceError) -> TimeScale {
    let value = try value("tscale", before: table)
    guard let scale = TimeScale(value.text, power: 9) else {
      throw wrong("tscale", value, "seconds per tick, a number above 0 of at most 18 digits")
    }
    return scale
  }

  /// rad/s per unit.
  func rateScale(before table: HeaderLine) throws(TraceError) -> Double {
    let value = try value("gscale", before: table)
    guard let scale = Number.parse(value.text), scale > 0, scale <= SensorModel.largestScale else {
      throw wrong(
        "gscale", value, "rad/s per LSB, a number above 0 and at most \(Int(SensorModel.largestScale))")
    }
    return scale
  }

  /// nil where it is not said.
  var orientation: Matrix3? {
    get throws(TraceError) {
      guard let value = values["orientation"] else { return nil }
      guard let matrix = Matrix3(axisLetters: value.text) else {
        throw wrong(
          "orientation", value, "three letters such as YxZ, each axis once, a capital for its positive end")
      }
      return matrix
    }
  }

  /// Hz; nil where it is not said.
  var sampleRate: Double? {
    get throws(TraceError) {
      guard let value = values["sample_rate"] else { return nil }
      guard let frequency = Number.parse(value.text), frequency > 0 else {
        throw wrong("sample_rate", value, "samples per second, a number above 0")
      }
      return frequency
    }
  }

  /// nil where the table has none, or their scale is none.
  func accelerations(in fields: HeaderFields) -> AccelerationColumns? {
    guard let text = values["ascale"]?.text, let scale = Number.parse(text), scale > 0,
      scale <= SensorModel.largestScale
    else { return nil }
    return AccelerationColumns(
      names: ["ax", "ay", "az"], in: fields, scale: scale * AccelerationColumns.standardGravity)
  }

  private func value(_ key: String, before table: HeaderLine) throws(TraceError) -> Value {
    guard let value = values[key] else {
      throw TraceError(line: table.number, "the header of the .gcsv has no \(key)")
    }
    return value
  }

  private func wrong(_ key: String, _ value: Value, _ expected: String) -> TraceError {
    TraceError(
      line: value.line, "\(key): expected \(expected), found \(TraceError.quoted(value.text.utf8))")
  }
}
