import Motion

/// The rows that `process` writes.
struct ProcessOutput: ~Copyable {
  private var file: RowFile
  private let words: RowWords
  private let hasTilt: Bool

  /// Opens the output and begins it; see `RowFile`.
  ///
  /// - Parameter tilt: whether rows have it.
  init(
    path: String?, format: ProcessOptions.Format, tilt: Bool, notOver others: [RowFile.Other]
  ) throws(CommandError) {
    file = try RowFile(path: path, notOver: others)
    words = RowWords(format)
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
    file.put(words.sequence)
    file.put(update.sequence)
    file.put(words.timestamp)
    file.put(update.timestampNanoseconds)
    file.put(words.x)
    file.put(offset.x)
    file.put(words.y)
    file.put(offset.y)
    file.put(update.gap ? words.gap : words.noGap)
    if hasTilt {
      let tilt = tilt().scaled(by: scale)
      file.put(words.tiltX)
      file.put(tilt.x)
      file.put(words.tiltY)
      file.put(tilt.y)
      file.put(words.tiltEnd)
    }
    file.put(words.end)
  }
}

/// What stands before, between and behind the numbers of a row.
private struct RowWords {
  let sequence, timestamp, x, y, gap, noGap, tiltX, tiltY, tiltEnd, end: StaticString

  init(_ format: ProcessOptions.Format) {
    switch format {
    case .csv:
      (sequence, timestamp, x, y) = ("", ",", ",", ",")
      (gap, noGap) = (",1", ",0")
      (tiltX, tiltY, tiltEnd) = (",", ",", "")
      end = "\n"
    case .jsonl:
      (sequence, timestamp, x, y) = ("{\"sequence\":", ",\"timestamp_ns\":", ",\"x\":", ",\"y\":")
      (gap, noGap) = (",\"gap\":true", ",\"gap\":false")
      (tiltX, tiltY, tiltEnd) = (",\"tilt\":{\"x\":", ",\"y\":", "}")
      end = "}\n"
    }
  }
}
