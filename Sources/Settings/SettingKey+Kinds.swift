import Motion

/// A place in `Settings` that can be read and written, from any thread.
typealias SettingPath<Value> = any WritableKeyPath<Settings, Value> & Sendable

/// How the table's lines are written: one maker per type of value.
extension SettingKey {
  static func boolean(_ name: String, _ path: SettingPath<Bool>) -> SettingKey {
    SettingKey(
      name: name, unit: nil, shape: .boolean, read: { .boolean($0[keyPath: path]) },
      write: { if case .boolean(let value) = $0 { $1[keyPath: path] = value } })
  }

  static func integer(
    _ name: String, _ path: SettingPath<Int>, _ range: ClosedRange<Int64>, unit: String? = nil
  ) -> SettingKey {
    SettingKey(
      name: name, unit: unit, shape: .integer(range), read: { .integer(Int64($0[keyPath: path])) },
      write: { if case .integer(let value) = $0 { $1[keyPath: path] = Int(value) } })
  }

  static func integer(
    _ name: String, _ path: SettingPath<Int>, oneOf choices: [Int64], unit: String?
  )
    -> SettingKey
  {
    SettingKey(
      name: name, unit: unit, shape: .integerChoice(choices), read: { .integer(Int64($0[keyPath: path])) },
      write: { if case .integer(let value) = $0 { $1[keyPath: path] = Int(value) } })
  }

  static func number(
    _ name: String, _ path: SettingPath<Double>, _ bounds: NumberBounds, unit: String? = nil
  ) -> SettingKey {
    SettingKey(
      name: name, unit: unit, shape: .number(bounds), read: { .number($0[keyPath: path]) },
      write: { if case .number(let value) = $0 { $1[keyPath: path] = value } })
  }

  /// 0 stands for nil.
  static func optionalNumber(
    _ name: String, _ path: SettingPath<Double?>, _ bounds: NumberBounds, unit: String?
  ) -> SettingKey {
    SettingKey(
      name: name, unit: unit, shape: .number(bounds), read: { .number($0[keyPath: path] ?? 0) },
      write: { if case .number(let value) = $0 { $1[keyPath: path] = value == 0 ? nil : value } })
  }

  /// Seconds in the file, whole nanoseconds in `Settings`: half to even, from the decimal text.
  static func seconds(_ name: String, _ path: SettingPath<Int64>, _ bounds: NumberBounds)
    -> SettingKey
  {
    SettingKey(
      name: name, unit: "s", shape: .seconds(bounds), read: { .number(Double($0[keyPath: path]) / 1e9) },
      write: { value, settings in
        guard case .number(let seconds) = value,
          let nanoseconds = DecimalNanoseconds.nanoseconds(fromSeconds: seconds)
        else { return }
        settings[keyPath: path] = nanoseconds
      },
      exactText: { TOMLText.seconds($0[keyPath: path]) })
  }

  /// One of an enumeration's raw values.
  static func word<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: SettingPath<Value>
  ) -> SettingKey {
    SettingKey(
      name: name, unit: nil, shape: .word(Value.allCases.map(\.rawValue)),
      read: { .text($0[keyPath: path].rawValue) },
      write: { value, settings in
        guard case .text(let text) = value, let word = Value(rawValue: text) else { return }
        settings[keyPath: path] = word
      })
  }

  /// The empty string stands for nil.
  static func text(_ name: String, _ path: SettingPath<String?>, _ bounds: TextBounds)
    -> SettingKey
  {
    SettingKey(
      name: name, unit: nil, shape: .text(bounds), read: { .text($0[keyPath: path] ?? "") },
      write: { if case .text(let text) = $0 { $1[keyPath: path] = text.isEmpty ? nil : text } })
  }
}
