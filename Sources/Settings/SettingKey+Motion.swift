/// `[motion]`: names, ranges and defaults are those of the pipeline's contract.
extension SettingKey {
  static let motion: [SettingKey] = [
    .seconds("motion.update_interval", \.motion.updateIntervalNanoseconds, .zero(orFrom: 0.001, to: 10)),
    .seconds("motion.max_gap", \.motion.maxGapNanoseconds, .from(0.02, to: 60)),
    .number("motion.threshold", \.motion.threshold, .from(0, to: 10), unit: "rad/s"),
    .word("motion.dead_zone", \.motion.deadZone),
    .number("motion.threshold_recovery", \.motion.thresholdRecovery, .from(0, to: 10), unit: "rad/s"),
    .number(
      "motion.multiplier", \.motion.multiplier, .from(0, to: 10_000), unit: "points per rad/s and update"),
    .number("motion.gain_x", \.motion.gainX, .from(0, to: 100)),
    .number("motion.gain_y", \.motion.gainY, .from(0, to: 100)),
    .boolean("motion.invert_x", \.motion.invertX),
    .boolean("motion.invert_y", \.motion.invertY),
    .number("motion.smoothing", \.motion.smoothing, .from(0, to: 10), unit: "s"),
    .word("motion.integration", \.motion.integration),
    .word("motion.sample", \.motion.sample),
    .number("motion.max_step", \.motion.maxStep, .positiveOrInfinite, unit: "points"),
    .number("motion.limit", \.motion.limit, .positiveOrInfinite, unit: "points"),
    .word("motion.limit_mode", \.motion.limitMode),
    .number("motion.recenter_time", \.motion.recenterTime, .from(0, to: 3600), unit: "s"),
  ]
}
