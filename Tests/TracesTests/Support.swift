import Motion

@testable import Traces

/// A trace that is all in memory, read as `TraceReader` reads a file.
struct TraceText {
  var samples: [RawSample] = []
  var errors: [TraceError] = []
  let layout: TraceLayout

  /// - Parameter chunk: how many bytes more are given whenever the decoder wants more; nil: all at once.
  init(_ bytes: [UInt8], columns: String? = nil, chunk: Int? = nil) throws {
    let mapping = try columns.map { try ColumnMapping($0) }
    let header = Array(bytes.prefix(TraceLayout.headerLimit))
    layout = try header.withUnsafeBytes {
      try TraceLayout.detect($0, isWhole: header.count == bytes.count, mapping: mapping)
    }
    var decoder = TraceDecoder(layout: layout)
    var given = min(bytes.count, max(layout.firstRow, chunk ?? bytes.count))
    while true {
      // A copy of exactly what is given, so that a read beyond it is one outside its memory.
      let part = Array(bytes.prefix(given))
      let step = part.withUnsafeBytes { decoder.next(in: $0, isLast: given == bytes.count) }
      switch step {
      case .sample(let sample): samples.append(sample)
      case .fault: errors.append(part.withUnsafeBytes { decoder.error(in: $0) })
      case .needsMore: given = min(bytes.count, given + (chunk ?? bytes.count))
      case .end: return
      }
    }
  }

  init(_ text: String, columns: String? = nil, chunk: Int? = nil) throws {
    try self.init(Array(text.utf8), columns: columns, chunk: chunk)
  }
}

extension RawSample {
  init(_ time: Int64, _ x: Double, _ y: Double, _ z: Double) {
    self.init(timestampNanoseconds: time, raw: Vector3(x, y, z))
  }
}
