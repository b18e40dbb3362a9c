import CNumbers
import Motion

// Rows as people and spreadsheets leave them: blanks, quotes, a plus, decimal commas, any separator.
extension RowDecoder {
  /// The row with all that may stand around and in its numbers, or what is wrong with it.
  @inline(never)
  mutating func carefulSample(
    _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int
  ) throws(Fault) -> RawSample {
    var timestamp: Int64 = 0
    var x = 0.0
    var y = 0.0
    var z = 0.0
    var mark = decimalMark
    var at = firstField(bytes, start, end)
    var column = 0
    var index = 0
    while index < 4 {
      let slot = slots[index]
      guard skip(bytes, &at, end, &column, to: slot.column) else {
        throw Fault(reason: .missing, role: slot.role, start: end, end: end)
      }
      switch slot.role {
      case 0: timestamp = try readTime(bytes, &at, end, &mark)
      case 1: x = try readValue(bytes, &at, end, &mark, role: 1)
      case 2: y = try readValue(bytes, &at, end, &mark, role: 2)
      default: z = try readValue(bytes, &at, end, &mark, role: 3)
      }
      index += 1
    }
    decimalMark = mark
    return RawSample(timestampNanoseconds: timestamp, raw: Vector3(x, y, z))
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

  func firstField(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    separator == UInt8(ascii: " ") ? Self.afterBlanks(bytes, start, end) : start
  }

  /// Moves `at` from the field `column` to the field `target`; false where the row ends before.
  @inline(__always)
  func skip(
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

  /// A time; `at` moves to the field's end.
  private func readTime(
    _ bytes: UnsafePointer<UInt8>, _ at: inout Int, _ end: Int, _ mark: inout UInt8?
  ) throws(Fault) -> Int64 {
    let fieldEnd = endOfField(bytes, at, end)
    let field = trimmed(bytes, at, fieldEnd)
    at = fieldEnd
    let fieldMark = try decimalMark(bytes, field, &mark, role: 0)
    let number = UnsafeRawBufferPointer(start: bytes + field.lowerBound, count: field.count)
    guard let result = time.nanoseconds(number, separator: fieldMark) else {
      throw Fault(reason: .notATime, start: field.lowerBound, end: field.upperBound)
    }
    return result
  }

  /// A rate or an acceleration; `at` moves to the field's end.
  func readValue(
    _ bytes: UnsafePointer<UInt8>, _ at: inout Int, _ end: Int, _ mark: inout UInt8?, role: Int
  ) throws(Fault) -> Double {
    let fieldEnd = endOfField(bytes, at, end)
    let field = trimmed(bytes, at, fieldEnd)
    at = fieldEnd
    let fieldMark = try decimalMark(bytes, field, &mark, role: role)
    return try number(bytes, field, fieldMark, role: role)
  }

  /// A number with a decimal comma or a `+`, copied to where from_chars can read it.
  private func number(
    _ bytes: UnsafePointer<UInt8>, _ field: Range<Int>, _ mark: UInt8, role: Int
  ) throws(Fault) -> Double {
    var copy = InlineArray<64, CChar>(repeating: 0)  // longestNumber
    // from_chars reads no plus.
    let isSigned =
      field.count > 1 && bytes[field.lowerBound] == UInt8(ascii: "+")
      && bytes[field.lowerBound + 1] != UInt8(ascii: "-")
    let start = field.lowerBound + (isSigned ? 1 : 0)
    let count = field.upperBound - start
    let fault = Fault(reason: .notANumber, role: role, start: field.lowerBound, end: field.upperBound)
    guard count > 0, count <= Self.longestNumber else { throw fault }
    var index = 0
    while index < count {
      let byte = bytes[start + index]
      copy[index] = CChar(bitPattern: byte == mark ? UInt8(ascii: ".") : byte)
      index += 1
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
    var at = field.lowerBound
    while at < field.upperBound {
      let byte = bytes[at]
      if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") {
        guard mark == nil || mark == byte else {
          throw Fault(reason: .mixedMarks, role: role, start: field.lowerBound, end: field.upperBound)
        }
        mark = byte
      }
      at += 1
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
}
