import CNumbers
import Motion

/// Reads the four fields of a row. Pure and without allocation; `decimalMark` is all it remembers.
struct RowDecoder {
  /// What is wrong with a row, and where; made into words only where somebody will read them.
  struct Fault: Error {
    enum Reason { case missing, notANumber, outOfRange, mixedMarks, tooLong }

    var reason: Reason
    /// 0 is the time; 1, 2, 3 are x, y, z.
    var role = 0
    /// Offsets of the field.
    var start = 0
    var end = 0
  }

  private let separator: UInt8
  private let slots: InlineArray<4, TraceLayout.Slot>
  private let time: TimeScale
  /// The byte before a fraction, once a row has shown it: all rows must agree. A point from the start where
  /// commas separate.
  private var decimalMark: UInt8?

  init(layout: TraceLayout) {
    separator = layout.separator
    slots = layout.slots
    time = layout.time
    decimalMark = layout.separator == UInt8(ascii: ",") ? UInt8(ascii: ".") : nil
  }

  /// Reads the row in `bytes[start..<end]`, without its line end.
  @inline(__always)
  mutating func decode(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) throws(Fault) -> RawSample {
    var timestamp: Int64 = 0
    var values = InlineArray<4, Double>(repeating: 0)
    var mark = decimalMark
    var at = firstField(bytes, start, end)
    var column = 0
    for index in 0..<4 {
      let slot = slots[index]
      guard skip(bytes, &at, end, &column, to: slot.column) else {
        throw Fault(reason: .missing, role: slot.role, start: end, end: end)
      }
      if slot.role == 0 {
        timestamp = try readTime(bytes, &at, end, &mark)
      } else {
        values[slot.role] = try readValue(bytes, &at, end, &mark, role: slot.role)
      }
    }
    decimalMark = mark
    return RawSample(timestampNanoseconds: timestamp, raw: Vector3(values[1], values[2], values[3]))
  }

  /// How many of the four fields of a line are numbers.
  func numbers(in line: ArraySlice<UInt8>) -> Int {
    line.withUnsafeBufferPointer { line in
      guard let bytes = line.baseAddress else { return 0 }
      let end = line.count
      var count = 0
      for index in 0..<4 {
        var at = firstField(bytes, 0, end)
        var column = 0
        var mark = decimalMark
        guard skip(bytes, &at, end, &column, to: slots[index].column) else { continue }
        let role = slots[index].role
        let isNumber =
          role == 0
          ? (try? readTime(bytes, &at, end, &mark)) != nil
          : (try? readValue(bytes, &at, end, &mark, role: role)) != nil
        count += isNumber ? 1 : 0
      }
      return count
    }
  }

  private func firstField(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    separator == UInt8(ascii: " ") ? Self.afterBlanks(bytes, start, end) : start
  }

  /// Moves `at` from the field `column` to the field `target`; false where the row ends before.
  @inline(__always)
  private func skip(
    _ bytes: UnsafePointer<UInt8>, _ at: inout Int, _ end: Int, _ column: inout Int, to target: Int
  ) -> Bool {
    while column < target {
      let fieldEnd = endOfField(bytes, at, end)
      guard fieldEnd < end else { return false }
      at = fieldEnd + 1
      if separator == UInt8(ascii: " ") { at = Self.afterBlanks(bytes, at, end) }
      column += 1
    }
    return true
  }

  /// Whole numbers without anything around them, which is what clocks write; anything else with care. `at`
  /// moves to the field's end.
  @inline(__always)
  private func readTime(
    _ bytes: UnsafePointer<UInt8>, _ at: inout Int, _ end: Int, _ mark: inout UInt8?
  ) throws(Fault) -> Int64 {
    var digits: UInt64 = 0
    let text = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
    let next = at + cnumbers_parse_digits(text + at, text + end, &digits)
    if next > at, next == end || bytes[next] == separator, time.wholeNanoseconds > 0 {
      let (product, overflow) = digits.multipliedReportingOverflow(by: UInt64(time.wholeNanoseconds))
      guard !overflow, product <= UInt64(DecimalNanoseconds.limit) else {
        throw Fault(reason: .outOfRange, start: at, end: next)
      }
      at = next
      return Int64(product)
    }
    let fieldEnd = endOfField(bytes, at, end)
    let field = trimmed(bytes, at, fieldEnd)
    at = fieldEnd
    let fieldMark = try decimalMark(bytes, field, &mark, role: 0)
    let number = UnsafeRawBufferPointer(start: bytes + field.lowerBound, count: field.count)
    guard let result = time.nanoseconds(number, separator: fieldMark) else {
      throw Fault(reason: .notANumber, start: field.lowerBound, end: field.upperBound)
    }
    return result
  }

  /// Numbers as from_chars reads them, up to the separator; anything else with care.
  @inline(__always)
  private func readValue(
    _ bytes: UnsafePointer<UInt8>, _ at: inout Int, _ end: Int, _ mark: inout UInt8?, role: Int
  ) throws(Fault) -> Double {
    if separator == UInt8(ascii: ",") {
      var value = 0.0
      let text = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
      let next = at + cnumbers_parse_double(text + at, text + end, &value)
      if next > at, next == end || bytes[next] == separator, value.isFinite {
        at = next
        return value
      }
    }
    let fieldEnd = endOfField(bytes, at, end)
    let field = trimmed(bytes, at, fieldEnd)
    at = fieldEnd
    let fieldMark = try decimalMark(bytes, field, &mark, role: role)
    return try slowValue(bytes, field, fieldMark, role: role)
  }

  /// A number with a decimal comma or a `+`, copied to where from_chars can read it.
  private func slowValue(
    _ bytes: UnsafePointer<UInt8>, _ field: Range<Int>, _ mark: UInt8, role: Int
  ) throws(Fault) -> Double {
    var copy = InlineArray<64, CChar>(repeating: 0)
    let isSigned =
      field.count > 1 && bytes[field.lowerBound] == UInt8(ascii: "+")
      && bytes[field.lowerBound + 1] != UInt8(ascii: "-")
    let start = field.lowerBound + (isSigned ? 1 : 0)
    let count = field.upperBound - start
    let fault = Fault(reason: .notANumber, role: role, start: field.lowerBound, end: field.upperBound)
    guard count > 0, count <= 64 else { throw fault }
    for index in 0..<count {
      let byte = bytes[start + index]
      copy[index] = CChar(bitPattern: byte == mark ? UInt8(ascii: ".") : byte)
    }
    var value = 0.0
    let read = copy.span.withUnsafeBufferPointer { text in
      text.baseAddress.map { cnumbers_parse_double($0, $0 + count, &value) } ?? 0
    }
    guard read == count, value.isFinite else { throw fault }
    return value
  }

  /// The decimal mark that a field shows, or the one in force; a field must not show another.
  private func decimalMark(
    _ bytes: UnsafePointer<UInt8>, _ field: Range<Int>, _ mark: inout UInt8?, role: Int
  ) throws(Fault) -> UInt8 {
    for at in field where bytes[at] == UInt8(ascii: ".") || bytes[at] == UInt8(ascii: ",") {
      guard mark == nil || mark == bytes[at] else {
        throw Fault(reason: .mixedMarks, role: role, start: field.lowerBound, end: field.upperBound)
      }
      mark = bytes[at]
    }
    return mark ?? UInt8(ascii: ".")
  }

  /// The offset of the separator behind the field that begins at `start`, or `end`; one within double
  /// quotes is none, if the field begins with them.
  @inline(__always)
  private func endOfField(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var at = start
    while at < end, bytes[at] != separator {
      if bytes[at] == UInt8(ascii: "\""), Self.afterBlanks(bytes, start, at) == at {
        at = Self.afterQuote(bytes, at + 1, end)
      } else {
        at += 1
      }
    }
    return at
  }

  /// The offset behind the next double quote; `start` where there is none.
  private static func afterQuote(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var at = start
    while at < end {
      if bytes[at] == UInt8(ascii: "\"") { return at + 1 }
      at += 1
    }
    return start
  }

  /// The field without blanks, and quotes, around it.
  private func trimmed(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Range<Int> {
    var field = Self.withoutBlanks(bytes, start, end)
    if field.count >= 2, bytes[field.lowerBound] == UInt8(ascii: "\""),
      bytes[field.upperBound - 1] == UInt8(ascii: "\"")
    {
      field = Self.withoutBlanks(bytes, field.lowerBound + 1, field.upperBound - 1)
    }
    return field
  }

  private static func withoutBlanks(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Range<Int> {
    let first = afterBlanks(bytes, start, end)
    var last = end
    while last > first, isBlank(bytes[last - 1]) { last -= 1 }
    return first..<last
  }

  private static func afterBlanks(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var at = start
    while at < end, isBlank(bytes[at]) { at += 1 }
    return at
  }

  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }
}
