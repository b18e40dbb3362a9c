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
    var values: [String: (text: String, line: Int)] = [:]
    var own = RecordedKeys()
    var device: [String] = []
    for line in header.lines.dropFirst() where !line.isBlank {
      let fields = line.fields(separatedBy: UInt8(ascii: ","))
      let key = fields.names[0]
      if key == "t" || key == "time" {
        var columns = [0]
        for name in ["gx", "gy", "gz"] { columns.append(try fields.column(named: name)) }
        try self.init(gyroflow: values, table: line, columns: columns, lineEnd: header.lineEnd)
        if let text = values["ascale"]?.text, let scale = Number.parse(text), scale > 0,
          scale <= SensorModel.largestScale
        {
          accelerations = AccelerationColumns(
            names: ["ax", "ay", "az"], in: fields, scale: scale * AccelerationColumns.standardGravity)
        }
        try own.apply(to: &self)
        if !device.isEmpty { deviceName = device.joined(separator: " ") }
        return
      }
      try own.take(fields)
      if ["vendor", "id"].contains(key), fields.names.count > 1, device.count < 2 {
        device.append(fields.names[1].printable(limit: RecordedSensor.textLimit))
      }
      guard ["tscale", "gscale", "ascale", "orientation", "sample_rate"].contains(key), fields.names.count > 1
      else {
        continue
      }
      guard values.updateValue((fields.names[1], line.number), forKey: key) == nil else {
        throw TraceError(line: line.number, "\(key) is given twice")
      }
    }
    throw TraceError("the row \"t,gx,gy,gz\" that ends the header of a .gcsv is not in its first lines")
  }

  private init(
    gyroflow values: [String: (text: String, line: Int)], table: HeaderLine, columns: [Int], lineEnd: UInt8
  ) throws(TraceError) {
    func value(_ key: String) throws(TraceError) -> (text: String, line: Int) {
      guard let value = values[key] else {
        throw TraceError(line: table.number, "the header of the .gcsv has no \(key)")
      }
      return value
    }
    func wrong(_ key: String, _ value: (text: String, line: Int), _ expected: String) -> TraceError {
      let found = TraceError.quoted(value.text.utf8)
      return TraceError(line: value.line, "\(key): expected \(expected), found \(found)")
    }
    let tscale = try value("tscale")
    guard let time = TimeScale(tscale.text, power: 9) else {
      throw wrong("tscale", tscale, "seconds per tick, a number above 0 of at most 15 digits")
    }
    let gscale = try value("gscale")
    guard let scale = Number.parse(gscale.text), scale > 0, scale <= SensorModel.largestScale else {
      throw wrong(
        "gscale", gscale, "rad/s per LSB, a number above 0 and at most \(Int(SensorModel.largestScale))")
    }
    self.init(
      format: .gyroflow, time: time, separator: UInt8(ascii: ","), lineEnd: lineEnd, columns: columns,
      names: ["t", "gx", "gy", "gz"], firstRow: table.next, firstRowLine: table.number + 1)
    model.scale = Vector3(repeating: scale)
    if let orientation = values["orientation"] {
      guard let matrix = Matrix3(axisLetters: orientation.text) else {
        throw wrong(
          "orientation", orientation,
          "three letters such as YxZ, each axis once, a capital for its positive end")
      }
      model.mountMatrix = matrix
      hasOrientation = true
    }
    if let rate = values["sample_rate"] {
      guard let frequency = Number.parse(rate.text), frequency > 0 else {
        throw wrong("sample_rate", rate, "samples per second, a number above 0")
      }
      model.nominalFrequency = frequency
    }
  }
}
