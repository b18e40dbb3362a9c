extension String {
  /// The text as it may stand in one line for people, whoever wrote it: on a terminal or in the journal.
  ///
  /// What a terminal obeys, what begins a line and what turns the direction of writing becomes an escape
  /// (`\u{1b}`, a tab `\t`). What is then longer than `limit` characters of Unicode is cut, not within an escape, and
  /// ends in `…`.
  package func printable(limit: Int = 400) -> String {
    var result = ""
    var room = limit
    for scalar in unicodeScalars {
      let shown = scalar.printable
      room -= shown.unicodeScalars.count
      if room < 0 { return result + "…" }
      result += shown
    }
    return result
  }
}

extension String {
  /// A word of a command line as a message shows it: as it stands, in quotes where there would be nothing to see.
  package var shownAsWord: String { contains { !$0.isWhitespace } ? printable() : "\"\(printable())\"" }
}

extension Unicode.Scalar {
  /// Itself, or its escape.
  fileprivate var printable: String {
    if self == "\t" { return "\\t" }
    return isPrintable ? String(self) : "\\u{\(String(value, radix: 16))}"
  }

  private var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}
