import Testing
import Wire

@testable import parallaxctl

/// What `calibrate` says is what the daemon did.
struct CalibrationTextTests {
  static let verdicts: [(backend: String, mode: String, says: [String], isRemembered: Bool)] = [
    ("iio", "auto", ["taken off from now on", "it was wrong before"], true),
    ("iio", "off", ["not taken off", "mode = \"fixed\" with bias = [0.10000, 0.00000, 0.00000]"], true),
    (
      "replay", "auto", ["taken off from now on until the daemon ends", "a recording", "wrong before"], false
    ),
    ("replay", "fixed", ["not taken off", "a recording", "mode = \"auto\""], false),
    ("demo", "auto", ["until the daemon ends", "the demonstration"], false),
  ]

  @Test(arguments: verdicts.indices)
  func onlyASensorsIsRemembered(_ index: Int) throws {
    let (backend, mode, says, isRemembered) = Self.verdicts[index]
    var before = Status(backend: backend)
    before.settings = [Status.Setting(name: "calibration.mode", value: "\"\(mode)\"")]
    let found = CalibrationResult(bias: [0.1, 0, 0], confidence: 1, noise: nil)
    let verdict = try #require(CalibrationText.lines(found, before: before).last)
    for part in says { #expect(verdict.contains(part), "\(verdict)") }
    #expect(
      verdict.contains("remembered") && verdict.contains("not remembered") != isRemembered, "\(verdict)")
  }
}
