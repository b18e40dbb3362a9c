// A header has members that do not apply left out; a batch of one scan has no `timestamps_ns`.
extension JSONBuffer {
  /// A header as a reply with its end.
  package mutating func appendReply(_ header: RawHeader, in form: MessageForm) {
    appendReply(continues: true, in: form) {
      $0.member("format", header.format)
      $0.member("scale", header.scale)
      $0.member("offset", header.offset)
      $0.member("matrix", header.matrix)
      $0.member("bias", header.bias)
      if let variance = header.biasVariance { $0.member("bias_variance", variance) }
      if let frequency = header.frequency { $0.member("frequency", frequency) }
      if let noData = header.noData { $0.member("no_data", noData) }
      if let clock = header.clock { $0.member("clock", clock) }
      if let name = header.name { $0.member("name", name) }
      if let label = header.label { $0.member("label", label) }
      if let path = header.path { $0.member("path", path) }
      if header.restart { $0.member("restart", true) }
      if header.midStream { $0.member("mid_stream", true) }
    }
  }

  /// A batch as a reply with its end. Allocates nothing once the buffer is large enough.
  ///
  /// - Parameters:
  ///   - count: scans in it, at least 1.
  ///   - dropped: scans that were lost before it.
  ///   - scan: scan 0…count − 1, the oldest first.
  package mutating func appendRawBatch(
    count: Int, dropped: Int64, in form: MessageForm, scan: (Int) -> RawScan
  ) {
    appendReply(continues: true, in: form) {
      $0.member("timestamp_ns", scan(count - 1).timestampNanoseconds)
      if count > 1 { $0.appendTimes(count: count, scan) }
      $0.appendValues(count: count, scan)
      if dropped > 0 { $0.member("dropped", dropped) }
    }
  }

  private mutating func appendTimes(count: Int, _ scan: (Int) -> RawScan) {
    key("timestamps_ns")
    beginArray()
    // No `for`: in a debug build its iterator allocates, and allocations are counted there too.
    var index = 0
    while index < count {
      value(scan(index).timestampNanoseconds)
      index += 1
    }
    endArray()
  }

  private mutating func appendValues(count: Int, _ scan: (Int) -> RawScan) {
    var areIntegers = true
    var index = 0
    while index < count, areIntegers {
      areIntegers = scan(index).isInteger
      index += 1
    }
    if areIntegers { key("raw") } else { key("values") }
    beginArray()
    index = 0
    while index < count {
      let next = scan(index)
      if areIntegers {
        value(Int64(next.x))
        value(Int64(next.y))
        value(Int64(next.z))
      } else {
        value(next.x)
        value(next.y)
        value(next.z)
      }
      index += 1
    }
    endArray()
  }
}

extension RawScan {
  /// Whether integers say all of it: within ±2^53, where a double holds each.
  fileprivate var isInteger: Bool {
    Self.isInteger(x) && Self.isInteger(y) && Self.isInteger(z)
  }

  private static func isInteger(_ value: Double) -> Bool {
    value.magnitude <= 9_007_199_254_740_992 && value.rounded(.towardZero) == value
  }
}
