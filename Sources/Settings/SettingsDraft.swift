import Motion

/// Settings while they are being put together: file over file, then the command line. Each value is checked
/// when it is set; what depends on several, in `finished()`.
package struct SettingsDraft: Sendable {
  private var settings = Settings()
  /// Where each key was last set.
  private var places: [String: SettingsPlace] = [:]

  package init() {}

  /// Sets what an entry says.
  mutating func apply(_ entry: TOMLEntry) throws(SettingsError) {
    if let key = SettingKey.byName[entry.key] {
      if let problem = key.assign(entry.value, to: &settings) {
        throw SettingsError(problem, key: key.name, at: entry.valuePlace)
      }
      places[key.name] = entry.keyPlace
    } else if SettingKey.sections.contains(entry.key) {
      if entry.value != .table {
        let message = "\(entry.key) is a section: write [\(entry.key)] and its settings below"
        throw SettingsError(message, key: entry.key, at: entry.keyPlace)
      }
    } else {
      throw Self.unknown(entry)
    }
  }

  /// The settings, with the defaults that depend on others and the checks across keys.
  ///
  /// - Parameter files: where they were read from.
  package func finished(files: [String] = []) throws(SettingsError) -> Settings {
    var settings = settings
    settings.files = files
    if settings.motion.integration == .angle, places["motion.multiplier"] == nil {
      settings.motion.multiplier = MotionSettings.multiplierPerRadian
    }
    settings.withoutEffect = WithoutEffect.lines(settings, places)
    settings.isCalibrationConfigured = places["calibration.mode"] != nil
    switch settings.motion.biasMode {
    case .auto, .off: settings.motion.bias = .zero
    case .fixed: try require("calibration.bias", for: "calibration.mode", "= \"fixed\"")
    }
    if settings.sensor.backend == .replay, settings.sensor.replayFile == nil {
      throw missing("sensor.replay_file", for: "sensor.backend", "= \"replay\"")
    }
    if let matrix = settings.sensor.mountMatrix, abs(matrix.determinant) < 0.001 {
      throw SettingsError(
        "sensor.mount_matrix has no inverse; allowed: nine numbers that turn, mirror or scale",
        key: "sensor.mount_matrix", at: place(of: "sensor.mount_matrix"))
    }
    return settings
  }

  private func place(of key: String) -> SettingsPlace { places[key] ?? .override }

  private func require(_ key: String, for reason: String, _ value: String) throws(SettingsError) {
    if places[key] == nil { throw missing(key, for: reason, value) }
  }

  private func missing(_ key: String, for reason: String, _ value: String) -> SettingsError {
    SettingsError("\(reason) \(value) needs \(key), which is not set", key: key, at: place(of: reason))
  }

  private static func unknown(_ entry: TOMLEntry) -> SettingsError {
    let isSection = entry.value == .table
    let nearest = NearestName.nearest(
      to: entry.key, among: isSection ? SettingKey.sections : SettingKey.all.map(\.name))
    let name = entry.key.count <= 64 ? entry.key : "\(entry.key.prefix(64))…"
    let hint = nearest.map { "; did you mean \($0)?" } ?? "; parallaxd.toml(5) lists them all"
    return SettingsError(
      "\(name.printable()) is not a \(isSection ? "section" : "setting")\(hint)", key: entry.key,
      at: entry.keyPlace)
  }
}
