import Motion

/// Makers for values that only one setting has.
extension SettingKey {
  /// Nine numbers by rows; the empty array stands for nil.
  static func matrix(_ name: String, _ path: SettingPath<Matrix3?>, _ bounds: NumberBounds)
    -> SettingKey
  {
    SettingKey(
      name: name, unit: nil, shape: .numbers(counts: [9, 0], bounds),
      read: { settings in
        .numbers(settings[keyPath: path]?.numbers ?? [])
      },
      write: { value, settings in
        guard case .numbers(let numbers) = value else { return }
        settings[keyPath: path] = Matrix3(numbers: numbers)
      })
  }

  static func vector(
    _ name: String, _ path: SettingPath<Vector3>, _ bounds: NumberBounds, unit: String
  ) -> SettingKey {
    SettingKey(
      name: name, unit: unit, shape: .numbers(counts: [3], bounds),
      read: { .numbers($0[keyPath: path].numbers) },
      write: { value, settings in
        guard case .numbers(let numbers) = value, let vector = Vector3(numbers: numbers) else { return }
        settings[keyPath: path] = vector
      })
  }

  static func axes(_ name: String, _ path: SettingPath<Matrix3>) -> SettingKey {
    SettingKey(
      name: name, unit: nil, shape: .axes, read: { .text($0[keyPath: path].axisLetters) },
      write: { value, settings in
        guard case .text(let letters) = value, let matrix = Matrix3(axisLetters: letters) else { return }
        settings[keyPath: path] = matrix
      })
  }

  static func replaySpeed(_ name: String, _ path: SettingPath<SensorSettings.ReplaySpeed>)
    -> SettingKey
  {
    SettingKey(
      name: name, unit: nil, shape: .numberOrWord(.positive, word: "max"),
      read: { settings in
        switch settings[keyPath: path] {
        case .factor(let factor): .number(factor)
        case .max: .text("max")
        }
      },
      write: { value, settings in
        switch value {
        case .number(let factor): settings[keyPath: path] = .factor(factor)
        case .text: settings[keyPath: path] = .max
        default: return
        }
      })
  }
}
