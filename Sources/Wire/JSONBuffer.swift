import CNumbers

/// JSON text in the making, in memory that is kept from message to message: once it has grown to the longest
/// message, writing allocates nothing.
///
/// The caller pairs begins with ends and keys with values; commas come by themselves.
package struct JSONBuffer: Sendable {
  /// What has been written.
  package private(set) var bytes: [UInt8] = []
  /// Whether the next key or value follows another one.
  private var needsComma = false

  /// Bytes; no name in this program comes near it.
  private static let longestKey = 60

  package init() {}

  /// Starts over in the same memory.
  ///
  /// - Parameter capacity: bytes that will be written without another allocation.
  package mutating func removeAll(reserving capacity: Int = 0) {
    bytes.removeAll(keepingCapacity: true)
    if bytes.capacity < capacity { bytes.reserveCapacity(capacity) }
    needsComma = false
  }

  /// Ends the message.
  package mutating func end(in form: MessageForm) {
    bytes.append(form.terminator)
    needsComma = false
  }

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// A member's name; its value is written next. `name` needs no escapes and has at most 60
  /// bytes.
  package mutating func key(_ name: StaticString) {
    // Put together first: an append to the array costs more than the bytes. A constant size, since memory of
    // another one may come from the heap.
    assert(name.utf8CodeUnitCount <= Self.longestKey)
    let count = min(name.utf8CodeUnitCount, Self.longestKey)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longestKey + 4) { text in
      let start = needsComma ? 2 : 1
      text[0] = UInt8(ascii: ",")
      text[start - 1] = UInt8(ascii: "\"")
      for index in 0..<count { text[start + index] = name.utf8Start[index] }
      text[start + count] = UInt8(ascii: "\"")
      text[start + count + 1] = UInt8(ascii: ":")
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[..<(start + count + 2)]))
    }
    needsComma = false
  }

  /// A member's name of any kind, with the escapes that it needs.
  package mutating func key(text name: String) {
    value(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func null() { literal("null") }

  package mutating func value(_ value: Bool) { literal(value ? "true" : "false") }

  package mutating func value(_ value: Int) { self.value(Int64(value)) }

  package mutating func value(_ value: Int64) {
    separate()
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CNUMBERS_CAPACITY)) { text in
      let count = cnumbers_format_int64(value, text.baseAddress, text.count)
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<count]))
    }
    needsComma = true
  }

  /// The shortest text that reads back to the same double (negative zero is `-0`); what is not finite, and
  /// so no JSON, becomes null.
  package mutating func value(_ value: Double) {
    guard value.isFinite else { return null() }
    separate()
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CNUMBERS_CAPACITY)) { text in
      let count = cnumbers_format_double(value, text.baseAddress, text.count)
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<count]))
    }
    needsComma = true
  }

  package mutating func value(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { all in
      if all.contains(where: Self.needsEscape) {
        for byte in all { appendEscaped(byte) }
      } else {
        bytes.append(contentsOf: all)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// A value that `write` puts into memory that it is given, and says how long it is.
  mutating func append(atMost capacity: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    separate()
    bytes.append(addingCapacity: capacity) { span in
      span.withUnsafeMutableBufferPointer { memory, count in count = write(memory) }
    }
    needsComma = true
  }

  package mutating func value(_ numbers: [Double]) {
    beginArray()
    for number in numbers { value(number) }
    endArray()
  }

  package mutating func value(_ texts: [String]) {
    beginArray()
    for text in texts { value(text) }
    endArray()
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func literal(_ text: StaticString) {
    separate()
    append(text)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// RFC 8259, section 7: the quotation mark, the backslash and the control characters.
  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\t"): append("\\t")
    case 0..<0x20:
      append("\\u00")
      bytes.append(Self.hexadecimal(byte >> 4))
      bytes.append(Self.hexadecimal(byte & 15))
    default: bytes.append(byte)
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}

extension JSONBuffer {
  /// A member that is null where it does not apply.
  package mutating func member(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { self.value(value) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ value: Double?) {
    key(name)
    if let value { self.value(value) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ value: Int64?) {
    key(name)
    if let value { self.value(value) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ value: [Double]?) {
    key(name)
    if let value { self.value(value) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ value: Int?) {
    member(name, value.map { Int64($0) })
  }

  package mutating func member(_ name: StaticString, _ value: [String]) {
    key(name)
    self.value(value)
  }

  package mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    self.value(value)
  }
}
