import Motion

/// The rows that `process` writes.
struct ProcessOutput: ~Copyable {
  private var file: RowFile
  private let format: ProcessOptions.Format
  private let hasTilt: Bool

  /// Opens the output and begins it; see `RowFile`.
  ///
  /// - Parameter tilt: whether rows have it.
  init(path: String?, format: ProcessOptions.Format, tilt: Bool, notOver trace: String) throws(CommandError) {
    file = try RowFile(path: path, notOver: trace)
    self.format = format
    hasTilt = tilt
    if format == .csv {
      file.put(tilt ? "sequence,timestamp_ns,x,y,gap,tilt_x,tilt_y\n" : "sequence,timestamp_ns,x,y,gap\n")
    }
  }

  var isTerminal: Bool { file.isTerminal }

  /// Writes what is in the buffer.
  mutating func flush() throws(CommandError) { try file.flush() }

  /// One row. Nothing is allocated.
  mutating func write(_ update: Update, _ tilt: @autoclosure () -> Tilt, scale: Double) throws(CommandError) {
    try file.beginRow()
    let offset = Offset(x: update.x, y: update.y).scaled(by: scale)
    switch format {
    case .csv:
      file.put(update.sequence)
      file.put(",")
      file.put(update.timestampNanoseconds)
      file.put(",")
      file.put(offset.x)
      file.put(",")
      file.put(offset.y)
      file.put(update.gap ? ",1" : ",0")
      if hasTilt {
        let tilt = tilt().scaled(by: scale)
        file.put(",")
        file.put(tilt.x)
        file.put(",")
        file.put(tilt.y)
      }
      file.put("\n")
    case .jsonl:
      file.put("{\"sequence\":")
      file.put(update.sequence)
      file.put(",\"timestamp_ns\":")
      file.put(update.timestampNanoseconds)
      file.put(",\"x\":")
      file.put(offset.x)
      file.put(",\"y\":")
      file.put(offset.y)
      file.put(update.gap ? ",\"gap\":true" : ",\"gap\":false")
      if hasTilt {
        let tilt = tilt().scaled(by: scale)
        file.put(",\"tilt\":{\"x\":")
        file.put(tilt.x)
        file.put(",\"y\":")
        file.put(tilt.y)
        file.put("}")
      }
      file.put("}\n")
    }
  }
}
