import Motion
import Testing
import Wire

@testable import parallaxctl

struct TextTests {
  @Test(arguments: [
    (0.0, 2, "0.00"), (-0.0, 2, "0.00"), (1.005, 1, "1.0"), (-1.25, 2, "-1.25"), (0.999, 2, "1.00"),
    (-0.004, 2, "0.00"), (12.5, 0, "13"), (3.0625, 3, "3.063"), (1e12, 2, "1000000000000.0"),
    (.infinity, 2, "inf"), (999_999_999.5, 3, "999999999.500"),
  ])
  func writesDecimals(_ value: Double, _ digits: Int, _ text: String) {
    #expect(DecimalText.fixed(value, digits: digits) == text)
  }

  @Test func signedNumbersLineUp() {
    #expect(DecimalText.signed(1.5, digits: 1, width: 6) == "  +1.5")
    #expect(DecimalText.signed(-1.5, digits: 1, width: 6) == "  -1.5")
    #expect(DecimalText.signed(-0.01, digits: 1) == "+0.0")
  }

  @Test(arguments: [
    (50.0, "50"), (17.94, "17.9"), (7.0, "7"), (0.02, "0"), (1e9, "1000000000"), (1.5e20, "1.5e+20"),
  ])
  func scalesAreBrief(_ value: Double, _ text: String) {
    #expect(DecimalText.brief(value, digits: 1) == text)
  }

  @Test func helpIsAsciiWhereItMustBe() {
    for topic in HelpTopic.allCases { #expect(PlainText.ascii(topic.text).utf8.allSatisfy { $0 < 0x80 }) }
    #expect(PlainText.ascii(HelpTopic.overview).contains("[OPTION]..."))
    #expect(!PlainText.ascii(HelpTopic.overview + ProcessOptions.help).contains("?"))
  }

  @Test func aRecordingIsNamedOnceAndInItsUnits() {
    var status = Status(backend: "replay")
    status.sensor.name = "walk.csv"
    status.sensor.path = "/home/a/walk.csv"
    status.sensor.scale = [1, 1, 1]
    let text = StatusText.lines(status).joined(separator: "\n")
    #expect(text.contains("/home/a/walk.csv (replay)") && text.split(separator: "walk.csv").count == 2)
    #expect(text.contains("the recording is in rad/s") && !text.contains("LSB"))
    status.sensor.scale = [0.5, 0.5, 0.5]
    #expect(StatusText.lines(status).contains { $0.hasSuffix("0.5 rad/s per raw unit") })
  }

  @Test func whatWentThroughIsSummedUp() {
    var summary = ProcessSummary()
    #expect(summary.text == "0 rows in 0.00 s, 0 updates, 0 gaps")
    for index in 0..<201 {
      summary.take(RawSample(timestampNanoseconds: Int64(index) * 10_000_000, raw: .zero))
    }
    summary.counters.updates = 67
    summary.counters.gaps = 1
    #expect(summary.text == "201 rows in 2.00 s (100.0 Hz), 67 updates, 1 gap")
  }

  @Test func everyCharacterIsOneColumnWide() {
    #expect(PlainText.narrow("größe 陀螺") == "gr??e ??")
  }

  @Test func theStatusLeavesOutWhatDoesNotApply() {
    let lines = StatusText.lines(Status(backend: "iio"))
    #expect(lines.contains { $0.hasPrefix("state") && $0.hasSuffix("idle") })
    #expect(lines.contains { $0.hasPrefix("sensor") && $0.hasSuffix("none yet (iio)") })
    #expect(!lines.contains { $0.contains("mount matrix") || $0.contains("nil") })
    var status = Status(backend: "iio")
    status.sensor.uri = "local:"
    #expect(StatusText.lines(status).contains { $0.hasSuffix("  of this machine") })
    status.sensor.uri = "ip:192.0.2.1"
    #expect(StatusText.lines(status).contains { $0.hasSuffix("  ip:192.0.2.1") })
  }

  @Test func theStatusSaysWhatIsWrong() {
    var status = Status(backend: "demo")
    status.state = .waiting
    status.reason = .noDevice
    status.text = "no gyroscope\u{1b}[31m"
    status.retryIn = 4.6
    status.configuration.lastError = "line 3"
    status.counters.outOfOrder = 2
    status.sensor.scale = [0.5, 0.5, 0.5]
    status.sensor.mountMatrix = [0, 1, 0, -1, 0, 0, 0, 0, 1]
    let text = StatusText.lines(status).joined(separator: "\n")
    for part in [
      "waiting (no-device)", "no gyroscope\\u{1b}[31m", "next try in 5 s", "SYNTHETIC",
      "LAST RELOAD REFUSED: line 3", "2 out of order", "0.5 rad/s per LSB", "0 1 0; -1 0 0; 0 0 1",
    ] {
      #expect(text.contains(part))
    }
    #expect(!text.contains("\u{1b}"))
  }

  @Test func onlyANamedSocketIsTriedWhereOneIsNamed() {
    let environment = ["PARALLAXD_SOCKET": "/named", "XDG_RUNTIME_DIR": "/run/user/7"]
    #expect(SocketSearch.candidates(option: "/o") { environment[$0] } == ["/o"])
    #expect(SocketSearch.candidates(option: nil) { environment[$0] } == ["/named"])
    #expect(
      SocketSearch.candidates(option: nil) { $0 == "XDG_RUNTIME_DIR" ? "/run/user/7" : nil }
        == ["/run/parallaxd/socket", "/run/user/7/parallaxd/socket"])
    #expect(SocketSearch.candidates(option: nil) { _ in nil } == ["/run/parallaxd/socket"])
  }

  @Test func callsAreTheProtocols() {
    func text(_ call: [UInt8]) -> String { String(decoding: call, as: UTF8.self) }
    let wishes = SubscriptionWishes(rates: true, all: true, minInterval: 0.25)
    #expect(
      text(Calls.subscribe(wishes)) == #"{"method":"org.parallaxd.Motion.Subscribe","parameters":"#
        + #"{"rate":true,"only_changes":false,"backlog":1024,"min_interval":0.25},"more":true}"# + "\0")
    #expect(
      text(Calls.setReducedMotion(nil))
        == #"{"method":"org.parallaxd.Motion.SetReducedMotion","parameters":{}}"# + "\0")
    #expect(
      text(Calls.pan(x: -0.5, y: 12))
        == #"{"method":"org.parallaxd.Motion.Pan","parameters":{"x":-0.5,"y":12}}"# + "\0")
  }

  /// A member's bytes, exactly as they stand in the message.
  @Test(arguments: [
    (#"{"parameters":{"x":1.50},"continues":true}"#, #"{"x":1.50}"#),
    (#"{"continues":true,"parameters":{"x":{"parameters":1}}}"#, #"{"x":{"parameters":1}}"#),
    (#"{"a":{"parameters":{"x":1}},"parameters": [ 2 , 3 ] }"#, "[ 2 , 3 ]"),
    (#"{"a":"parameters","parameters":"}\"{,"}"#, #""}\"{,""#),
    (#"{ "parameters" : 7 }"#, "7"), (#"{"parameters":null,"b":1}"#, "null"),
  ])
  func findsAMember(_ message: String, _ value: String) {
    let found = ReplyMember.value(of: "parameters", in: Array(message.utf8))
    #expect(found.map { String(decoding: $0, as: UTF8.self) } == value)
  }

  @Test(arguments: [
    "", "{}", #"{"a":{"parameters":1}}"#, #"{"a":"parameters"}"#, "[", #"{"parameters"#, #"{"\"#, "]]",
    #"{"parameters":"#,
  ])
  func findsNoMember(_ message: String) {
    #expect(ReplyMember.value(of: "parameters", in: Array(message.utf8)) == nil)
  }

  @Test func jsonForATerminalIsTheSameJSON() {
    let bytes = Array("{\"a\":\"\u{9b}2J\u{7f} ä\"}\n".utf8)
    #expect(
      String(decoding: PlainText.escapedJSON(bytes), as: UTF8.self) == "{\"a\":\"\\u009b2J\\u007f ä\"}\n")
  }
}
