import CNumbers

/// Decimal numbers of a header or an option. Rows go through `RowDecoder`, which makes no strings.
enum Number {
  /// The finite number that the whole text is; blanks around it are passed over.
  static func parse(_ text: some StringProtocol) -> Double? {
    var bytes = Array(text.utf8)
    while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
      bytes.removeLast()
    }
    let start = bytes.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
    return bytes.withUnsafeBytes { raw in
      let field = raw.bindMemory(to: CChar.self)
      guard let base = field.baseAddress, start < raw.count else { return nil }
      var value = 0.0
      let read = cnumbers_parse_double(base + start, base + raw.count, &value)
      return read == raw.count - start && value.isFinite ? value : nil
    }
  }
}
