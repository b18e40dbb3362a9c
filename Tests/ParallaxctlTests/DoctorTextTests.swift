import Testing
import Wire

@testable import parallaxctl

/// How the findings are told.
@Suite struct DoctorTextTests {
  @Test func theTextSaysHowMany() {
    let good = DoctorText(DoctorTests.well, []).text(hasColour: false)
    #expect(good.hasSuffix("\n\nNothing is wrong.\n") && !good.contains("\u{1b}"))
    let bad = DoctorText(DoctorTests.well, [.note("n"), .problem("p", "c", hint: "h")]).text(hasColour: true)
    #expect(
      bad.contains(
        "\u{1b}[1;31mWRONG\u{1b}[0m  p\n       → \u{1b}[1mc    # h\u{1b}[0m\nnote   n\n1 to mend.\n"))
  }

  /// What is said where nothing is wrong and the daemon reads no gyroscope of this machine.
  @Test(arguments: [
    ("demo", nil, false, "It plays a demonstration; of gyroscopes, this machine has none."),
    ("replay", nil, true, "It plays a recording; of gyroscopes, this machine's were not judged."),
    ("iio", "ip:192.0.2.1", false, "It reads a sensor elsewhere; of gyroscopes, this machine has none."),
  ])
  func theTextSaysWhatWasJudged(_ backend: String, _ uri: String?, _ hasGyroscope: Bool, _ said: String) {
    var facts = DoctorTests.well
    var status = Status(backend: backend)
    status.sensor.uri = uri
    facts.daemon = .answers(status)
    if !hasGyroscope { facts.devices = [] }
    let text = DoctorText(facts, Checks.findings(facts)).text(hasColour: false)
    #expect(text.hasSuffix("\nNothing is wrong with the daemon. \(said)\n"), "\(text)")
  }
}
