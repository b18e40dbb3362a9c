import Motion
import Testing

@testable import Settings

@Suite struct SettingKeyTests {
  /// Every setting with an end to its values: the last allowed at both ends, and what lies beyond. Written
  /// out here once more, so that a slip in the table shows.
  static let edges: [(name: String, allowed: [String], refused: [String])] = [
    (
      "sensor.sampling_frequency", ["0", "0.1", "10000", "200"],
      ["-1", "0.09", "10001", "inf", "nan", "\"200\""]
    ),
    ("sensor.screen_rotation", ["0", "90", "180", "270"], ["-90", "45", "360", "90.0"]),
    ("sensor.settle_time", ["0", "10"], ["-0.1", "10.1", "nan"]),
    ("sensor.read_timeout", ["0.05", "60"], ["0", "0.049", "60.1"]),
    ("sensor.replay_speed", ["1e-9", "0.5", "1000000", "\"max\""], ["0", "-1", "inf", "nan", "\"fast\""]),
    (
      "motion.update_interval", ["0", "0.0", "-0.0", "0.001", "10", "10.0"],
      ["0.0009", "0.0009999999", "10.000001", "-0.001", "inf", "nan"]
    ),
    ("motion.max_gap", ["0.02", "60"], ["0", "0.0199", "60.1"]),
    ("motion.threshold", ["0", "10"], ["-0.1", "10.000001", "inf", "nan", "true"]),
    ("motion.threshold_recovery", ["0", "10"], ["-0.1", "10.1"]),
    ("motion.multiplier", ["0", "10000"], ["-1", "10000.1"]),
    ("motion.gain_x", ["0", "100"], ["-1", "100.1"]),
    ("motion.gain_y", ["0", "100"], ["-1", "100.1"]),
    ("motion.smoothing", ["0", "10"], ["-1", "10.1"]),
    ("motion.max_step", ["1e-9", "inf", "100000"], ["0", "-1", "-inf", "nan"]),
    ("motion.limit", ["1e-9", "inf", "100000"], ["0", "-1", "-inf", "nan"]),
    ("motion.recenter_time", ["0", "3600"], ["-1", "3600.1"]),
    ("calibration.max_bias", ["0", "1"], ["-0.1", "1.1"]),
    ("calibration.bias", ["[1, -1, 0.5]"], ["[0, 0]", "[0, 0, 1.1]", "[0, 0, nan]", "[]", "0.1"]),
    ("tilt.recenter_time", ["0", "3600"], ["-1", "3600.1"]),
    ("tilt.range", ["0.01", "3.14"], ["0", "0.009", "3.15"]),
    ("accessibility.reduced_motion_scale", ["0", "1"], ["-0.1", "1.1"]),
    ("server.max_message", ["1024", "1048576"], ["1023", "1048577", "65536.0", "\"1\""]),
    ("server.max_nesting", ["2", "64"], ["1", "65"]),
    ("server.max_pipelined_calls", ["1", "1024"], ["0", "1025"]),
    ("server.max_connections", ["1", "10000"], ["0", "10001", "-9223372036854775808"]),
    ("server.max_connections_per_user", ["1", "10000"], ["0", "10001"]),
    ("server.message_timeout", ["0.1", "3600"], ["0", "3600.1"]),
    ("server.client_timeout", ["0.1", "3600"], ["0", "3600.1"]),
  ]

  @Test(arguments: edges)
  func `values at the ends of a range are allowed, those beyond refused`(
    name: String, allowed: [String], refused: [String]
  ) throws {
    let key = try #require(SettingKey.byName[name])
    for value in allowed {
      #expect(throws: Never.self, "\(name) = \(value)") { try settings(document(name, value)) }
    }
    for value in refused {
      let error = try #require(failure(document(name, value)), "\(name) = \(value) was taken")
      #expect(error.key == name)
      #expect(error.line == 2)
      #expect(error.message.contains("; allowed: \(key.shape.allowed)"), "\(error)")
    }
  }

  @Test func `every setting with a range is in the table of edges`() {
    let ranged = SettingKey.all.filter { key in
      switch key.shape {
      case .boolean, .word, .text, .axes: false
      default: key.name != "sensor.mount_matrix"  // has its own test
      }
    }
    #expect(Set(ranged.map(\.name)) == Set(Self.edges.map(\.name)))
  }

  @Test(arguments: SettingKey.all.map(\.name))
  func `the default is allowed, and its text reads back to it`(name: String) throws {
    let key = try #require(SettingKey.byName[name])
    if name == "calibration.mode" || name == "calibration.bias" { return }
    #expect(try settings(document(name, key.defaultText)) == Settings(), "\(key.defaultText)")
  }

  @Test(arguments: SettingKey.all.map(\.name))
  func `a value of another type is refused with what is allowed`(name: String) throws {
    let key = try #require(SettingKey.byName[name])
    for value in ["2026-01-01", "{}", "[\"x\"]", key.shape == .boolean ? "1" : "true"] {
      let error = try #require(failure(document(name, value)), "\(name) = \(value) was taken")
      #expect(error.key == name)
      #expect(error.message.contains("allowed: "), "\(error)")
    }
  }

  @Test func `names are unique and in sections`() {
    #expect(SettingKey.byName.count == SettingKey.all.count)
    #expect(
      SettingKey.sections == ["sensor", "motion", "calibration", "tilt", "accessibility", "server", "log"])
  }

  /// One changed value per setting: what is in force is what was written.
  @Test(arguments: [
    ("sensor.backend", "\"demo\""), ("sensor.uri", "\"ip:10.0.0.1\""),
    ("sensor.device", "\"bmi323 \\\"a\\\"\""),
    ("sensor.mode", "\"poll\""), ("sensor.sampling_frequency", "12.5"),
    ("sensor.mount_matrix", "[0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0]"), ("sensor.axes", "\"yXz\""),
    ("sensor.screen_rotation", "270"), ("sensor.settle_time", "0.000000001"),
    ("sensor.glitch_guard", "true"),
    ("sensor.read_timeout", "0.333333333"), ("sensor.replay_file", "\"/tmp/é.gcsv\""),
    ("sensor.replay_speed", "\"max\""), ("sensor.replay_speed", "0.25"), ("sensor.replay_loop", "true"),
    ("sensor.replay_columns", "\"t=1:ms,x=2,y=3,z=4\""), ("sensor.replay_skip_bad_rows", "true"),
    ("motion.update_interval", "0.0"), ("motion.max_gap", "1.5"), ("motion.threshold", "0.05"),
    ("motion.dead_zone", "\"soft\""), ("motion.threshold_recovery", "0.0"), ("motion.multiplier", "3.0"),
    ("motion.gain_x", "2.0"), ("motion.gain_y", "0.5"), ("motion.invert_x", "true"),
    ("motion.invert_y", "true"), ("motion.smoothing", "0.1"), ("motion.integration", "\"angle\""),
    ("motion.sample", "\"latest\""), ("motion.max_step", "5.0"), ("motion.limit", "100.0"),
    ("motion.limit_mode", "\"elastic\""), ("motion.recenter_time", "2.0"), ("calibration.max_bias", "0.5"),
    ("tilt.recenter_time", "1.0"), ("tilt.range", "1.0"), ("tilt.accelerometer", "false"),
    ("accessibility.reduced_motion", "true"),
    ("accessibility.reduced_motion_scale", "0.3"), ("server.socket", "\"/run/x/socket\""),
    ("server.group", "\"video\""), ("server.control_group", "\"parallax-control\""),
    ("server.allow_rate", "true"), ("server.allow_raw", "true"), ("server.max_message", "2048"),
    ("server.max_nesting", "8"), ("server.max_pipelined_calls", "4"), ("server.max_connections", "10"),
    ("server.max_connections_per_user", "5"), ("server.message_timeout", "1.0"),
    ("server.client_timeout", "30.0"), ("log.level", "\"debug\""),
  ])
  func `a setting written is the setting in force, and no other changes`(name: String, value: String) throws {
    let changed = try settings(document(name, value))
    var expected = inForce(Settings())
    expected[name] = value
    if name == "motion.integration" { expected["motion.multiplier"] = "83.33333333333334" }
    #expect(inForce(changed) == expected)
    #expect(changed != Settings())
  }

  @Test func `times become nanoseconds exactly, half to even`() throws {
    for (text, nanoseconds) in [
      ("0.03", 30_000_000), ("0.0010000005", 1_000_000), ("0.0010000015", 1_000_002), ("1e-2", 10_000_000),
      ("0.1", 100_000_000), ("3", 3_000_000_000), ("2.3", 2_300_000_000),
    ] as [(String, Int64)] {
      let read = try settings("motion.update_interval = \(text)").motion.updateIntervalNanoseconds
      #expect(read == nanoseconds, "\(text)")
    }
  }

  @Test func `a mount matrix is nine numbers with an inverse`() throws {
    let matrix = try settings("sensor.mount_matrix = [0, 1, 0, -1, 0, 0, 0, 0, 1]").sensor.mountMatrix
    #expect(matrix == Matrix3(rows: Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1)))
    #expect(try settings("sensor.mount_matrix = []").sensor.mountMatrix == nil)
    for value in ["[1, 0, 0]", "[0,0,0,0,0,0,0,0,0]", "[1,0,0, 1,0,0, 0,0,1]", "[11,0,0,0,1,0,0,0,1]"] {
      #expect(failure("sensor.mount_matrix = \(value)")?.key == "sensor.mount_matrix", "\(value)")
    }
  }
}
