import Motion
import Testing

@testable import Settings

@Suite struct ParseTests {
  @Test func `an empty document changes nothing`() throws {
    #expect(try settings("") == Settings())
    #expect(try settings("\u{FEFF}# only a comment\r\n") == Settings())
  }

  /// A document, and the whole line that a person gets.
  @Test(arguments: [
    (
      "[sensor]\n[motion]\ntreshold = 0.1",
      "parallaxd.toml:3:1: motion.treshold is not a setting; did you mean motion.threshold?"
    ),
    (
      "threshold = 0.1",
      "parallaxd.toml:1:1: threshold is not a setting; did you mean motion.threshold?"
    ),
    (
      "[sensor]\nthreshold = 0.1",
      "parallaxd.toml:2:1: sensor.threshold is not a setting; did you mean motion.threshold?"
    ),
    ("[moton]\nthreshold = 0.1", "parallaxd.toml:1:2: moton is not a section; did you mean motion?"),
    (
      "[motion]\nfrobnicate = 0.1",
      "parallaxd.toml:2:1: motion.frobnicate is not a setting; parallaxd.toml(5) lists them all"
    ),
    (
      "\"motion.threshold\" = 1",
      "parallaxd.toml:1:1: \"motion.threshold\" is not a setting; did you mean motion.threshold?"
    ),
    ("motion = 1", "parallaxd.toml:1:1: motion is a section: write [motion] and its settings below"),
    ("[[motion]]", "parallaxd.toml:1:3: motion is a section: write [motion] and its settings below"),
    (
      "[motion]\nthreshold = 11",
      "parallaxd.toml:2:13: motion.threshold is 11; allowed: a number from 0 to 10 (rad/s)"
    ),
    (
      "[motion]\nthreshold = \"0.1\"",
      "parallaxd.toml:2:13: motion.threshold is \"0.1\"; allowed: a number from 0 to 10 (rad/s)"
    ),
    (
      "motion.update_interval = 0.0001",
      "parallaxd.toml:1:26: motion.update_interval is 0.0001; allowed: 0, or a number from 0.001 to 10 (s)"
    ),
    (
      "motion.limit = 0",
      "parallaxd.toml:1:16: motion.limit is 0; allowed: a number above 0, or inf (points)"
    ),
    (
      "[sensor]\naxes = \"XXY\"",
      "parallaxd.toml:2:8: sensor.axes is \"XXY\"; allowed: three letters, each of X, Y and Z once; lower case negates"
    ),
    (
      "sensor.mode = \"Poll\"",
      "parallaxd.toml:1:15: sensor.mode is \"Poll\"; allowed: \"auto\", \"buffer\", \"poll\""
    ),
    (
      "calibration.mode = \"always\"",
      "parallaxd.toml:1:20: calibration.mode is \"always\"; allowed: \"auto\", \"fixed\", \"off\""
    ),
    (
      "[calibration]\nmode = \"fixed\"",
      "parallaxd.toml:2:1: calibration.mode = \"fixed\" needs calibration.bias, which is not set"
    ),
    (
      "[sensor]\nbackend = \"replay\"",
      "parallaxd.toml:2:1: sensor.backend = \"replay\" needs sensor.replay_file, which is not set"
    ),
    (
      "[calibration]\nbias = [0.1, 0.2]",
      "parallaxd.toml:2:8: calibration.bias is an array of 2; allowed: 3 numbers from -1 to 1 (rad/s)"
    ),
    ("[motion]\nlimit = 3\n[motion]", "parallaxd.toml:3:1: not TOML: "),
  ])
  func `a mistake is one line with its place, the key and what is allowed`(text: String, expected: String)
    throws
  {
    let error = try #require(failure(text))
    #expect(error.description.hasPrefix(expected), "\(error)")
    #expect(!error.description.contains("\n"))
  }

  @Test func `the first mistake in the document is the one reported`() throws {
    #expect(failure("[tilt]\nrange = 9\n[motion]\nthreshold = -1\n")?.key == "tilt.range")
  }

  @Test func `what a person wrote cannot act on the terminal`() throws {
    let error = try #require(failure("\"a\\u001b[31m\" = 1"))
    #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    let value = try #require(failure("log.level = \"\\u001b[31m\\n\""))
    #expect(value.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }

  @Test func `a socket's path is absolute and fits its address`() throws {
    #expect(failure("server.socket = \"run/socket\"")?.key == "server.socket")
    #expect(failure("server.socket = \"/\(String(repeating: "a", count: 107))\"")?.key == "server.socket")
    #expect(failure("server.socket = \"/a\\u0000b\"")?.key == "server.socket")
    let longest = "/" + String(repeating: "a", count: 106)
    #expect(try settings("server.socket = \"\(longest)\"").server.socket == longest)
  }

  @Test func `the multiplier follows the integration unless it is set`() throws {
    #expect(try settings("").motion.multiplier == 2.5)
    #expect(try settings("motion.integration = \"angle\"").motion.multiplier == 2.5 / 0.03)
    let set = try settings("motion.integration = \"angle\"\nmotion.multiplier = 2.5")
    #expect(set.motion.multiplier == 2.5)
  }

  @Test func `a bias is in force only with the mode fixed, and max_bias does not bound it`() throws {
    #expect(try settings("").motion.biasMode == .auto)
    #expect(try settings("calibration.bias = [0.1, 0, 0]").motion.bias == .zero)
    let fixed = try settings("calibration.mode = \"fixed\"\ncalibration.bias = [0.9, 0, -0.5]")
    #expect(fixed.motion.bias == Vector3(0.9, 0, -0.5))
    #expect(fixed.motion.biasMode == .fixed)
  }

  /// Letters, and where the unit vectors x, y and z go.
  @Test(arguments: [
    ("XYZ", Vector3(1, 2, 3)), ("yXz", Vector3(-2, 1, -3)), ("zyx", Vector3(-3, -2, -1)),
  ])
  func `axes are letters`(letters: String, expected: Vector3) throws {
    let axes = try settings("sensor.axes = \"\(letters)\"").motion.axes
    #expect(axes * Vector3(1, 2, 3) == expected)
  }

  @Test(arguments: [
    ("motion.tresholds", "motion.threshold"), ("motion.gainx", "motion.gain_x"),
    ("sensor.frequency", "sensor.sampling_frequency"), ("server.max_conections", "server.max_connections"),
    ("Motion.Threshold", "motion.threshold"), ("log.lvel", "log.level"), ("motion.axes", "sensor.axes"),
    ("reduced_motion", "accessibility.reduced_motion"), ("qwertyuiop", nil),
    (String(repeating: "a", count: 1000), nil),
  ])
  func `the nearest setting is named`(word: String, expected: String?) {
    #expect(NearestName.nearest(to: word, among: SettingKey.all.map(\.name)) == expected)
  }

  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3),
  ])
  func `the distance counts letters added, left out, replaced and swapped`(
    a: String, b: String, distance: Int
  ) {
    #expect(NearestName.distance(Array(a.utf8), Array(b.utf8)) == distance)
    #expect(NearestName.distance(Array(b.utf8), Array(a.utf8)) == distance)
  }
}
