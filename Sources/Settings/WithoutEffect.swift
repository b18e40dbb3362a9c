import Motion

/// A setting that counts only where another one has a certain value: who sets it alone has missed that.
struct WithoutEffect: Sendable {
  /// `section.key`
  private let name: String
  /// What it counts with: a key, and what it would have to be.
  private let with: (key: String, value: String)
  private let counts: @Sendable (Settings) -> Bool

  private static let all = [
    WithoutEffect(name: "calibration.bias", with: ("calibration.mode", "\"fixed\"")) {
      $0.motion.biasMode == .fixed
    },
    WithoutEffect(name: "motion.threshold_recovery", with: ("motion.dead_zone", "\"soft\"")) {
      $0.motion.deadZone == .soft
    },
    WithoutEffect(name: "motion.limit_mode", with: ("motion.limit", "a number below inf")) {
      $0.motion.limit.isFinite
    },
    WithoutEffect(name: "motion.sample", with: ("motion.integration", "\"per-update\"")) {
      $0.motion.integration == .perUpdate
    },
  ]

  /// A line for people for each setting that was set to something of its own and does nothing.
  ///
  /// - Parameters:
  ///   - settings: as they were set.
  ///   - places: where each key was last set.
  static func lines(_ settings: Settings, _ places: [String: SettingsPlace]) -> [String] {
    let defaults = Settings()
    return all.compactMap { one in
      guard let place = places[one.name], !one.counts(settings), let key = SettingKey.byName[one.name],
        let other = SettingKey.byName[one.with.key], key.text(in: settings) != key.text(in: defaults)
      else { return nil }
      let message =
        "\(one.name) has no effect: \(one.with.key) is \(other.text(in: settings)), and would have to be "
        + one.with.value
      return SettingsError(message, key: one.name, at: place).description
    }
  }
}
