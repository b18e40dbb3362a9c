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

  @Test func everyCharacterIsOneColumnWide() {
    #expect(PlainText.narrow("größe 陀螺") == "gr??e ??")
  }

  @Test func theStatusLeavesOutWhatDoesNotApply() {
    let lines = StatusText.lines(Status(backend: "iio"))
    #expect(lines.contains { $0.hasPrefix("state") && $0.hasSuffix("idle") })
    #expect(lines.contains { $0.hasPrefix("sensor") && $0.hasSuffix("none yet (iio)") })
    #expect(!lines.contains { $0.contains("mount matrix") || $0.contains("nil") })
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
        + #"{"rate":true,"only_changes":false,"min_interval":0.25},"more":true}"# + "\0")
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
