/// `[motion]`: names, ranges and defaults are those of the pipeline's contract.
extension SettingKey {
  static let motion: [SettingKey] = [
    .seconds(
      "motion.update_interval", \.motion.updateIntervalNanoseconds, .zero(orFrom: 0.001, to: 10),
      "time between two updates of the offset; 0: one for each sample"),
    .seconds(
      "motion.max_gap", \.motion.maxGapNanoseconds, .from(0.02, to: 60),
      "a longer pause between two samples begins a new stream"),
    .number(
      "motion.threshold", \.motion.threshold, .from(0, to: 10), unit: "rad/s",
      "rates up to this one move nothing, per axis"),
    .word(
      "motion.dead_zone", \.motion.deadZone,
      "above the threshold: \"hard\" passes the whole rate, \"soft\" eases it in"),
    .number(
      "motion.threshold_recovery", \.motion.thresholdRecovery, .from(0, to: 10), unit: "rad/s",
      "how far above the threshold the soft dead zone passes the whole rate"),
    .number(
      "motion.multiplier", \.motion.multiplier, .from(0, to: 10_000), unit: "points per rad/s and update",
      "how far a rate moves the offset"),
    .number("motion.gain_x", \.motion.gainX, .from(0, to: 100), "a further factor for x"),
    .number("motion.gain_y", \.motion.gainY, .from(0, to: 100), "a further factor for y"),
    .boolean("motion.invert_x", \.motion.invertX, "whether x goes the other way"),
    .boolean("motion.invert_y", \.motion.invertY, "whether y goes the other way"),
    .number(
      "motion.smoothing", \.motion.smoothing, .from(0, to: 10), unit: "s",
      "time constant of a low pass on the rate; 0: off"),
    .word(
      "motion.integration", \.motion.integration,
      "\"per-update\" adds the rate at each update, \"angle\" adds the angle turned since"),
    .word(
      "motion.sample", \.motion.sample,
      "which of the samples since the last update \"per-update\" takes"),
    .number(
      "motion.max_step", \.motion.maxStep, .positiveOrInfinite, unit: "points",
      "the most that one update moves, per axis"),
    .number(
      "motion.limit", \.motion.limit, .positiveOrInfinite, unit: "points",
      "the farthest that the offset goes, per axis"),
    .word(
      "motion.limit_mode", \.motion.limitMode,
      "\"clamp\" stops at the limit, \"elastic\" slows down towards it"),
    .number(
      "motion.recenter_time", \.motion.recenterTime, .from(0, to: 3600), unit: "s",
      "time constant with which the offset returns to neutral; 0: never"),
  ]
}
