/// `[sensor]`
extension SettingKey {
  static let sensor: [SettingKey] = [
    .word("sensor.backend", \.sensor.backend),
    .text(
      "sensor.uri", \.sensor.uri,
      TextBounds(what: "a libiio URI", emptyMeans: "this machine", maxBytes: 256)),
    .text(
      "sensor.device", \.sensor.device,
      TextBounds(
        what: "a label, location, name, path or id", emptyMeans: "the best gyroscope found", maxBytes: 256)),
    .word("sensor.mode", \.sensor.mode),
    .optionalNumber(
      "sensor.sampling_frequency", \.sensor.samplingFrequency, .zero(orFrom: 0.1, to: 10_000), unit: "Hz"),
    .matrix("sensor.mount_matrix", \.sensor.mountMatrix, .from(-10, to: 10)),
    .axes("sensor.axes", \.motion.axes),
    .integer("sensor.screen_rotation", \.motion.screenRotation, oneOf: [0, 90, 180, 270], unit: "degrees"),
    .seconds("sensor.settle_time", \.sensor.settleTimeNanoseconds, .from(0, to: 10)),
    .boolean("sensor.glitch_guard", \.sensor.glitchGuard),
    .seconds("sensor.read_timeout", \.sensor.readTimeoutNanoseconds, .from(0.05, to: 60)),
    .text(
      "sensor.replay_file", \.sensor.replayFile,
      TextBounds(what: "the path of a trace", emptyMeans: "none", maxBytes: 1000)),
    .replaySpeed("sensor.replay_speed", \.sensor.replaySpeed),
    .boolean("sensor.replay_loop", \.sensor.replayLoop),
    .text(
      "sensor.replay_columns", \.sensor.replayColumns,
      TextBounds(
        what: "a mapping such as \"t=Time_ms:ms,x=GX:deg/s,y=GY:deg/s,z=GZ:deg/s\"",
        emptyMeans: "detected from the content", maxBytes: 512)),
    .boolean("sensor.replay_skip_bad_rows", \.sensor.replaySkipBadRows),
  ]
}
