import Linux

/// Text that came from elsewhere, made fit for a terminal.
enum PlainText {
  /// As `printable()`, and every character one column wide: what is not ASCII becomes `?`.
  static func narrow(_ text: String) -> String {
    String(text.printable().map { $0.isASCII ? $0 : "?" })
  }

  /// The program's own text with ASCII for what is not: `…` is `...`.
  static func ascii(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "…": result += "..."
      case "“", "”": result += "\""
      default: result.append(character.isASCII ? character : "?")
      }
    }
    return result
  }

  /// The same JSON with DEL and the C1 control characters as escapes; JSON itself allows no other control
  /// characters in its strings. Broken UTF-8 becomes U+FFFD.
  static func escapedJSON(_ bytes: [UInt8]) -> [UInt8] {
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x7f...0x9f: result.append(contentsOf: "\\u00\(String(scalar.value, radix: 16))".unicodeScalars)
      case 0..<0x20 where scalar != "\n": result.append(" ")
      default: result.append(scalar)
      }
    }
    return Array(String(result).utf8)
  }
}
