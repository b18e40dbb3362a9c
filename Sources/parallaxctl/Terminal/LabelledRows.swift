/// A label and what is to be said of it, row by row.
enum LabelledRows {
  /// Lines in which all texts begin in one column.
  static func lines(_ rows: [(String, String)]) -> [String] {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { label, text in
      label + String(repeating: " ", count: width - label.count + 2) + text
    }
  }
}
