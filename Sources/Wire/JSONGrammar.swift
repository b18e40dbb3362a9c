/// RFC 8259 to the letter, over bytes that are valid UTF-8. The decoder alone would let trailing commas pass,
/// and broken numbers in members that nobody asks for.
///
/// Recursive: nesting has been bounded by `MessageScanner` before.
struct JSONGrammar {
  private let text: UnsafeRawBufferPointer
  private var position = 0

  /// Whether `text` is one JSON value and white space around it.
  static func accepts(_ text: UnsafeRawBufferPointer) -> Bool {
    var grammar = JSONGrammar(text: text)
    return grammar.value() && grammar.position == text.count
  }

  private init(text: UnsafeRawBufferPointer) { self.text = text }

  /// The next byte; nil at the end.
  private var next: UInt8? { position < text.count ? text[position] : nil }

  /// A value and the white space around it.
  private mutating func value() -> Bool {
    skipWhiteSpace()
    let isSound =
      switch next {
      case UInt8(ascii: "{"): object()
      case UInt8(ascii: "["): array()
      case UInt8(ascii: "\""): string()
      case UInt8(ascii: "t"): word("true")
      case UInt8(ascii: "f"): word("false")
      case UInt8(ascii: "n"): word("null")
      default: number()
      }
    skipWhiteSpace()
    return isSound
  }

  private mutating func object() -> Bool {
    position += 1
    skipWhiteSpace()
    if take("}") { return true }
    repeat {
      skipWhiteSpace()
      guard next == UInt8(ascii: "\""), string() else { return false }
      skipWhiteSpace()
      guard take(":"), value() else { return false }
    } while take(",")
    return take("}")
  }

  private mutating func array() -> Bool {
    position += 1
    skipWhiteSpace()
    if take("]") { return true }
    repeat {
      guard value() else { return false }
    } while take(",")
    return take("]")
  }

  private mutating func string() -> Bool {
    position += 1
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case UInt8(ascii: "\\"): guard escape() else { return false }
      case 0..<0x20: return false
      default: break
      }
    }
    return false
  }

  private mutating func escape() -> Bool {
    guard let letter = next else { return false }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return true
    case UInt8(ascii: "u"):
      for _ in 0..<4 {
        guard let digit = next, isHexadecimal(digit) else { return false }
        position += 1
      }
      return true
    default: return false
    }
  }

  private mutating func number() -> Bool {
    _ = take("-")
    if !take("0") { guard digits() else { return false } }
    if take(".") { guard digits() else { return false } }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      return digits()
    }
    return true
  }

  /// One digit or more.
  private mutating func digits() -> Bool {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position > start
  }

  private mutating func word(_ word: StaticString) -> Bool {
    let matches = word.withUTF8Buffer { text[position...].starts(with: $0) }
    position += word.utf8CodeUnitCount
    return matches
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipWhiteSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  private func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
