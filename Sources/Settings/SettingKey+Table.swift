/// The table: every setting, by section, in the order of `config/parallaxd.toml`.
extension SettingKey {
  package static let all = sensor + motion + calibration + tilt + accessibility + server + log

  /// The table by full name.
  package static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The names of the sections, in order.
  package static let sections = all.reduce(into: [String]()) { sections, key in
    if sections.last != String(key.section) { sections.append(String(key.section)) }
  }

  private static let calibration: [SettingKey] = [
    .word("calibration.mode", \.motion.biasMode),
    .vector("calibration.bias", \.motion.bias, .from(-1, to: 1), unit: "rad/s"),
    .number("calibration.max_bias", \.motion.maxBias, .from(0, to: 1), unit: "rad/s"),
  ]

  private static let tilt: [SettingKey] = [
    .number("tilt.recenter_time", \.motion.tilt.recenterTime, .from(0, to: 3600), unit: "s"),
    .number("tilt.range", \.motion.tilt.range, .from(0.01, to: 3.14), unit: "rad"),
    .boolean("tilt.accelerometer", \.motion.tilt.usesAccelerometer),
  ]

  private static let accessibility: [SettingKey] = [
    .boolean("accessibility.reduced_motion", \.accessibility.reducedMotion),
    .number("accessibility.reduced_motion_scale", \.accessibility.reducedMotionScale, .from(0, to: 1)),
  ]

  private static let log: [SettingKey] = [
    .word("log.level", \.log.level)
  ]
}
