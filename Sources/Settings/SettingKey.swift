import Motion

/// One setting, described once: from this the configuration is read and checked, settings in force are
/// listed, and the documentation is held against.
package struct SettingKey: Sendable {
  /// `section.key`
  package let name: String
  /// `rad/s`; nil where there is none.
  package let unit: String?
  package let shape: SettingShape
  /// The value in `Settings`, in the type that `shape.checked` gives.
  let read: @Sendable (Settings) -> TOMLValue
  /// Puts a value that `shape.checked` gave into `Settings`; any other changes nothing.
  let write: @Sendable (TOMLValue, inout Settings) -> Void
  /// The value as it would stand in a file, where the type's own text is not exact.
  var exactText: (@Sendable (Settings) -> String)?

  package var section: Substring { name.prefix { $0 != "." } }

  /// Without the section.
  package var key: Substring { name.drop { $0 != "." }.dropFirst() }

  /// What is allowed, and the unit: `a number from 0 to 10 (rad/s)`.
  package var allowed: String { unit.map { "\(shape.allowed) (\($0))" } ?? shape.allowed }

  /// The value in `settings` as it would stand in a configuration file.
  package func text(in settings: Settings) -> String {
    if let exactText { return exactText(settings) }
    return switch read(settings) {
    case .text(let text): TOMLText.of(text)
    case .integer(let integer): String(integer)
    case .number(let number): TOMLText.of(number)
    case .boolean(let boolean): String(boolean)
    case .numbers(let numbers): TOMLText.of(numbers)
    case .table, .other: ""
    }
  }

  /// Checks a value and puts it into `settings`.
  ///
  /// - Returns: nil, or what is wrong: one sentence with the key and what is allowed.
  func assign(_ value: TOMLValue, to settings: inout Settings) -> String? {
    if let checked = shape.checked(value) {
      write(checked, &settings)
      return nil
    }
    return "\(name) is \(shown(value)); allowed: \(allowed)"
  }

  /// The value, or its type where that is what is wrong. Of a string the quotes say that it is one.
  private func shown(_ value: TOMLValue) -> String {
    switch (value, shape) {
    case (.text(let text), _):
      let short = text.prefix(40)
      return TOMLText.of(String(short)) + (short.endIndex == text.endIndex ? "" : "…")
    case (.integer(let integer), .number), (.integer(let integer), .seconds),
      (.integer(let integer), .integer),
      (.integer(let integer), .integerChoice), (.integer(let integer), .numberOrWord):
      return String(integer)
    case (.number(let number), .number), (.number(let number), .seconds),
      (.number(let number), .numberOrWord):
      return number.plain
    case (.numbers(let numbers), .numbers(let counts, _)):
      if numbers.count <= 9, counts.contains(numbers.count) { return TOMLText.of(numbers) }
      return "an array of \(numbers.count)"
    default: return value.typeName
    }
  }
}
