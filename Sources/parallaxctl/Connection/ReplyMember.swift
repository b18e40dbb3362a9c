/// Finds the bytes of one member in a message that is known to be JSON: what is handed on exactly as it came
/// must not be decoded and written anew.
enum ReplyMember {
  /// The value of the outermost object's member `name`; nil where there is none. One pass, O(n).
  ///
  /// - Parameter name: ASCII; a name that the message spells with escapes is not found.
  static func value(of name: String, in message: [UInt8]) -> ArraySlice<UInt8>? {
    let wanted = Array(name.utf8)
    var depth = 0
    var index = 0
    // Where the last string of the outermost object began and ended: a name, if a colon follows.
    var string = 0..<0
    var valueStart: Int?
    while index < message.count {
      switch message[index] {
      case UInt8(ascii: "\""):
        let start = index + 1
        index = endOfString(in: message, from: start)
        if depth == 1 { string = start..<min(index, message.count) }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ":") where depth == 1:
        if valueStart == nil, message[string].elementsEqual(wanted) { valueStart = index + 1 }
      case UInt8(ascii: ",") where depth == 1:
        if let valueStart { return trimmed(message[valueStart..<index]) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0, let valueStart { return trimmed(message[valueStart..<index]) }
      default: break
      }
      index += 1
    }
    return nil
  }

  /// The index of the quotation mark that ends a string; the message's end where there is none.
  private static func endOfString(in message: [UInt8], from start: Int) -> Int {
    var index = start
    while index < message.count, message[index] != UInt8(ascii: "\"") {
      index += message[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index, message.count)
  }

  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }
    guard let last = value.lastIndex(where: { !isBlank($0) }) else { return value.prefix(0) }
    return value[...last].drop(while: isBlank)
  }
}
