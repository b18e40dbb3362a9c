import Motion

/// What values a setting takes: data, from which values are checked and people told what is allowed.
package enum SettingShape: Equatable, Sendable {
  case boolean
  case integer(ClosedRange<Int64>)
  case number(NumberBounds)
  /// A number of seconds that is kept as whole nanoseconds.
  case seconds(NumberBounds)
  /// A number, or one word: `"max"`.
  case numberOrWord(NumberBounds, word: String)
  case integerChoice([Int64])
  /// One of some words.
  case word([String])
  case text(TextBounds)
  /// As many numbers as one of `counts` says; 0 is the empty array.
  case numbers(counts: [Int], NumberBounds)
  /// Three letters as in .gcsv: each axis once, lower case negates.
  case axes

  /// What is allowed, to follow "allowed: ".
  package var allowed: String {
    switch self {
    case .boolean: "true or false"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let bounds), .seconds(let bounds): bounds.allowed
    case .numberOrWord(let bounds, let word): "\(bounds.allowed), or \"\(word)\""
    case .integerChoice(let numbers): numbers.map(String.init).joined(separator: ", ")
    case .word(let words): words.map { "\"\($0)\"" }.joined(separator: ", ")
    case .text(let bounds): bounds.allowed
    case .numbers(let counts, let bounds):
      counts.map { $0 == 0 ? "[]" : "\($0) numbers from \(bounds.span)" }.joined(separator: " or ")
    case .axes: "three letters, each of X, Y and Z once; lower case negates"
    }
  }

  /// The value in the shape's own type: an integer passes for a number. nil: not allowed.
  package func checked(_ value: TOMLValue) -> TOMLValue? {
    switch (self, value) {
    case (.boolean, .boolean): return value
    case (.integer(let range), .integer(let integer)): return range.contains(integer) ? value : nil
    case (.integerChoice(let numbers), .integer(let integer)): return numbers.contains(integer) ? value : nil
    case (.number(let bounds), _), (.seconds(let bounds), _): return bounds.checked(value)
    case (.numberOrWord(_, let word), .text(let text)): return text == word ? value : nil
    case (.numberOrWord(let bounds, _), _): return bounds.checked(value)
    case (.word(let words), .text(let text)): return words.contains(text) ? value : nil
    case (.text(let bounds), .text(let text)): return bounds.contains(text) ? value : nil
    case (.numbers(let counts, let bounds), .numbers(let numbers)):
      return counts.contains(numbers.count) && numbers.allSatisfy(bounds.contains) ? value : nil
    case (.axes, .text(let text)): return Matrix3(axisLetters: text) == nil ? nil : value
    default: return nil
    }
  }

  /// Whether the value is a string whatever it looks like: `--set` takes it as it stands.
  var isText: Bool {
    switch self {
    case .text, .word, .axes: true
    default: false
    }
  }
}
