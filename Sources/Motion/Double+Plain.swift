extension Double {
  /// For people: without `.0`.
  package var plain: String {
    let text = description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
