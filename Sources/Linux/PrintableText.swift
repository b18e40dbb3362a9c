extension String {
  /// The text as it may stand in one line for people, whoever wrote it: on a terminal or in the journal.
  ///
  /// What a terminal obeys, what begins a line and what turns the direction of writing becomes an escape
  /// (`\u{1b}`, a tab `\t`); what is longer than `limit` characters is cut and ends in `…`.
  package func printable(limit: Int = 400) -> String {
    var result = ""
    for scalar in unicodeScalars.prefix(limit) {
      if scalar == "\t" {
        result += "\\t"
      } else if scalar.isPrintable {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return unicodeScalars.dropFirst(limit).isEmpty ? result : result + "…"
  }
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}
