import Linux

/// The sampling frequencies that a driver says it can be set to.
package enum AvailableFrequencies: Equatable, Sendable {
  /// One of the driver's own texts, and what it says in Hz.
  package struct Choice: Equatable, Sendable {
    package var hertz: Double
    package var text: String
    package init(hertz: Double, text: String) {
      self.hertz = hertz
      self.text = text
    }
  }

  /// At least one, rising.
  case list([Choice])
  /// Hz; the step may be 0.
  case range(min: Double, step: Double, max: Double)

  /// Reads `12.5 26 52` or `[min step max]`; nil where not one frequency above 0 is in it.
  package init?(_ text: String) {
    // A page, which is all that an attribute can hold.
    guard text.utf8.count <= 4096 else { return nil }
    let trimmed = text.withoutSurroundingBlanks
    if trimmed.hasPrefix("[") {
      guard trimmed.hasSuffix("]") else { return nil }
      let numbers = trimmed.dropFirst().dropLast().split(whereSeparator: \.isWhitespace)
        .map { AttributeText.number($0) }
      guard numbers.count == 3, let low = numbers[0], let step = numbers[1], let high = numbers[2],
        high > 0, low >= 0, low <= high, step >= 0
      else { return nil }
      self = .range(min: low, step: step, max: high)
      return
    }
    let choices = trimmed.split(whereSeparator: \.isWhitespace).compactMap { word -> Choice? in
      guard let hertz = AttributeText.number(word), hertz > 0 else { return nil }
      return Choice(hertz: hertz, text: String(word))
    }
    guard !choices.isEmpty else { return nil }
    self = .list(choices.sorted { $0.hertz < $1.hertz })
  }

  /// The nearest frequency that is not below what is asked, else the highest.
  package func nearest(notBelow asked: Double) -> Choice {
    switch self {
    case .list(let choices):
      return choices.first { $0.hertz >= asked } ?? choices[choices.count - 1]
    case .range(let low, let step, let high):
      var hertz = max(asked, low)
      if step > 0 { hertz = low + ((hertz - low) / step).rounded(.up) * step }
      // The highest may lie off the grid: the last step below it.
      if hertz > high { hertz = step > 0 ? low + ((high - low) / step).rounded(.down) * step : high }
      if hertz <= 0 { hertz = high }
      return Choice(hertz: hertz, text: AttributeText.frequency(hertz))
    }
  }
}
