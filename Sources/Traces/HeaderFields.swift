import Linux

/// The fields of a header line: names, without quotes and blanks around them.
struct HeaderFields {
  let separator: UInt8
  let line: Int
  private(set) var names: [String] = []

  /// What may stand between fields; a blank stands for any run of them.
  static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: " ")]

  init(_ header: HeaderLine, _ separator: UInt8) {
    self.separator = separator
    line = header.number
    // TABs are trimmed only where they separate nothing: an empty field before or behind one counts.
    var rest = separator == UInt8(ascii: "\t") ? header.bytes : header.bytes.trimmingBlanks()
    if let mark = rest.firstIndex(where: { $0 != UInt8(ascii: " ") }), rest[mark] == UInt8(ascii: "#") {
      rest = rest[(mark + 1)...]
      if separator != UInt8(ascii: "\t") { rest = rest.trimmingBlanks() }
    }
    while names.count < ColumnMapping.maximumColumns {
      let end = Self.endOfField(rest, separator)
      names.append(Self.name(rest[..<end]))
      guard end < rest.endIndex else { return }
      rest = rest[(end + 1)...]
      if separator == UInt8(ascii: " ") { rest = rest.trimmingBlanks() }
    }
  }

  /// Whether every name of `table` is there.
  func hold(_ table: KnownTable) -> Bool {
    table.names.allSatisfy(names.contains) && table.mark.map(names.contains) ?? true
  }

  /// The one column of that name, from 0.
  func column(named name: String) throws(TraceError) -> Int {
    guard let column = names.firstIndex(of: name) else {
      throw TraceError(
        line: line,
        "no column is named \"\(name.printable(limit: 60))\"; there are \(TraceError.listing(names))")
    }
    guard names[(column + 1)...].firstIndex(of: name) == nil else {
      throw TraceError(
        line: line,
        "two columns are named \"\(name.printable(limit: 60))\"; give its number: "
          + TraceError.advice(ColumnSuggestion.numbered))
    }
    return column
  }

  /// The index of the separator after the field that `text` begins with; the end where there is none.
  private static func endOfField(_ text: ArraySlice<UInt8>, _ separator: UInt8) -> Int {
    var at = text.startIndex
    while at < text.endIndex, text[at] == UInt8(ascii: " "), separator != UInt8(ascii: " ") { at += 1 }
    if at < text.endIndex, text[at] == UInt8(ascii: "\""),
      let close = text[(at + 1)...].firstIndex(of: UInt8(ascii: "\""))
    {
      at = close
    }
    return text[at...].firstIndex(of: separator) ?? text.endIndex
  }

  private static func name(_ field: ArraySlice<UInt8>) -> String {
    var text = field.trimmingBlanks()
    if text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") {
      text = text.dropFirst().dropLast().trimmingBlanks()
    }
    return String(decoding: text, as: UTF8.self)
  }
}
