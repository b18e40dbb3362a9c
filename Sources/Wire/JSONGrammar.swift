/// RFC 8259 to the letter, over bytes that are valid UTF-8. The decoder alone would let trailing commas pass,
/// and broken numbers in members that nobody asks for.
///
/// Recursive: nesting has been bounded by `MessageScanner` before, or is here.
struct JSONGrammar {
  private let text: UnsafeRawBufferPointer
  private let maxNesting: Int
  private var position = 0
  private var nesting = 0
  /// That have begun.
  private var values = 0

  /// How many values there are in `text`, those inside others too; nil where it is not one JSON value and white space
  /// around it.
  static func values(in text: UnsafeRawBufferPointer) -> Int? {
    var grammar = JSONGrammar(text: text, maxNesting: .max)
    return grammar.value() && grammar.position == text.count ? grammar.values : nil
  }

  /// How many bytes of `text` can be the beginning of a JSON value that is nested no deeper; nil: it is one.
  static func fault(in text: UnsafeRawBufferPointer, maxNesting: Int) -> Int? {
    var grammar = JSONGrammar(text: text, maxNesting: maxNesting)
    return grammar.value() && grammar.position == text.count ? nil : grammar.position
  }

  private init(text: UnsafeRawBufferPointer, maxNesting: Int) {
    self.text = text
    self.maxNesting = maxNesting
  }

  /// The next byte; nil at the end.
  private var next: UInt8? { position < text.count ? text[position] : nil }

  /// A value and the white space around it.
  private mutating func value() -> Bool {
    skipWhiteSpace()
    values += 1
    let isSound =
      switch next {
      case UInt8(ascii: "{"): nested { $0.object() }
      case UInt8(ascii: "["): nested { $0.array() }
      case UInt8(ascii: "\""): string()
      case UInt8(ascii: "t"): word("true")
      case UInt8(ascii: "f"): word("false")
      case UInt8(ascii: "n"): word("null")
      default: number()
      }
    if isSound { skipWhiteSpace() }
    return isSound
  }

  private mutating func nested(_ read: (inout JSONGrammar) -> Bool) -> Bool {
    guard nesting < maxNesting else { return false }
    nesting += 1
    defer { nesting -= 1 }
    return read(&self)
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
      if byte < 0x20 { return false }
      position += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\"), !escape() { return false }
    }
    return false
  }

  private mutating func escape() -> Bool {
    guard let letter = next else { return false }
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
      return true
    case UInt8(ascii: "u"):
      position += 1
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
    guard word.withUTF8Buffer({ text[position...].starts(with: $0) }) else { return false }
    position += word.utf8CodeUnitCount
    return true
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
