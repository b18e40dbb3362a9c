/// `[sensor]`
extension SettingKey {
  static let sensor: [SettingKey] = [
    .word("sensor.backend", \.sensor.backend, "where samples come from"),
    .text(
      "sensor.uri", \.sensor.uri,
      TextBounds(what: "a libiio URI", emptyMeans: "this machine", maxBytes: 256),
      "whose sensors to use, such as \"local:\", \"ip:192.168.2.1\" or \"usb:\""),
    .text(
      "sensor.device", \.sensor.device,
      TextBounds(
        what: "a label, location, name, path or id", emptyMeans: "the best gyroscope found", maxBytes: 256),
      "which gyroscope to use"),
    .word(
      "sensor.mode", \.sensor.mode,
      "how it is read: from its buffer, by polling its attributes, or as the device allows"),
    .optionalNumber(
      "sensor.sampling_frequency", \.sensor.samplingFrequency, .zero(orFrom: 0.1, to: 10_000), unit: "Hz",
      "samples per second to ask for; 0: two per update"),
    .matrix(
      "sensor.mount_matrix", \.sensor.mountMatrix, .from(-10, to: 10),
      "how the sensor is mounted, by rows, in place of what the kernel says ([])"),
    .axes("sensor.axes", \.motion.axes, "which axis of the device each axis takes: \"yXz\" is −y, x, −z"),
    .integer(
      "sensor.screen_rotation", \.motion.screenRotation, oneOf: [0, 90, 180, 270], unit: "degrees",
      "how far the picture is turned counter-clockwise on the panel"),
    .seconds(
      "sensor.settle_time", \.sensor.settleTimeNanoseconds, .from(0, to: 10),
      "readings left out after the sensor is switched on"),
    .seconds(
      "sensor.read_timeout", \.sensor.readTimeoutNanoseconds, .from(0.05, to: 60),
      "silence after which the sensor counts as stalled"),
    .text(
      "sensor.replay_file", \.sensor.replayFile,
      TextBounds(what: "the path of a trace", emptyMeans: "none", maxBytes: 1000),
      "what is played with backend \"replay\""),
    .replaySpeed(
      "sensor.replay_speed", \.sensor.replaySpeed,
      "how fast it is played: 1 is real time, \"max\" as fast as it goes"),
    .boolean("sensor.replay_loop", \.sensor.replayLoop, "whether it begins again at its end"),
    .text(
      "sensor.replay_columns", \.sensor.replayColumns,
      TextBounds(
        what: "a mapping such as \"t=Time_ms:ms,x=GX:deg/s,y=GY:deg/s,z=GZ:deg/s\"",
        emptyMeans: "detected from the content", maxBytes: 512),
      "which columns of a table hold what"),
    .boolean(
      "sensor.replay_skip_bad_rows", \.sensor.replaySkipBadRows,
      "whether broken rows are left out and counted, instead of ending the replay"),
  ]
}
