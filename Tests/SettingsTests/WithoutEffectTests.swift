import Testing

@testable import Settings

/// What is set and does nothing is said, in a line with its place; what counts, and what is the default, is not.
struct WithoutEffectTests {
  private static let bias = "[0.1, 0.2, 0.3]"

  static let idle: [(text: String, line: String)] = [
    (
      "[calibration]\nbias = \(bias)",
      "parallaxd.toml:2:1: calibration.bias has no effect: calibration.mode is \"auto\", and would have to be "
        + "\"fixed\""
    ),
    (
      "calibration.bias = \(bias)\ncalibration.mode = \"off\"",
      "parallaxd.toml:1:13: calibration.bias has no effect: calibration.mode is \"off\", and would have to be "
        + "\"fixed\""
    ),
    (
      "motion.threshold_recovery = 0.5",
      "parallaxd.toml:1:8: motion.threshold_recovery has no effect: motion.dead_zone is \"hard\", and would have "
        + "to be \"soft\""
    ),
    (
      "motion.limit_mode = \"elastic\"",
      "parallaxd.toml:1:8: motion.limit_mode has no effect: motion.limit is inf, and would have to be a number "
        + "below inf"
    ),
    (
      "[motion]\nsample = \"latest\"\nintegration = \"angle\"",
      "parallaxd.toml:2:1: motion.sample has no effect: motion.integration is \"angle\", and would have to be "
        + "\"per-update\""
    ),
  ]

  @Test(arguments: idle.indices)
  func isSaid(_ index: Int) throws {
    let (text, line) = Self.idle[index]
    #expect(try settings(text).withoutEffect == [line])
  }

  @Test(arguments: [
    "", "[calibration]\nmode = \"fixed\"\nbias = [0.1, 0.2, 0.3]", "calibration.bias = [0.0, 0.0, 0.0]",
    "calibration.mode = \"fixed\"\ncalibration.bias = [0, 0, 0]", "calibration.max_bias = 0.1",
    "motion.dead_zone = \"soft\"\nmotion.threshold_recovery = 0.5",
    "motion.limit = 60\nmotion.limit_mode = \"elastic\"",
    "motion.sample = \"latest\"", "sensor.replay_file = \"a.csv\"",
  ])
  func whatCountsIsNotSaid(_ text: String) throws {
    #expect(try settings(text).withoutEffect == [])
  }

  @Test func theCommandLineIsAPlaceToo() throws {
    let set = try Settings.load(source: .builtIn, overrides: ["calibration.bias=[0.1,0,0]"])
    #expect(set.withoutEffect.first?.hasPrefix("--set: calibration.bias has no effect: ") == true)
    let both = ["calibration.bias=[0.1,0,0]", "calibration.mode=fixed"]
    #expect(try Settings.load(source: .builtIn, overrides: both).withoutEffect == [])
  }
}
