import TestSupport
import Testing

@testable import Wire

@Suite struct EncodingTests {
  func written(_ write: (inout JSONBuffer) -> Void) -> String {
    var buffer = JSONBuffer()
    write(&buffer)
    return text(buffer.bytes)
  }

  @Test func theSmallestEvent() {
    #expect(
      written { $0.appendReply(MotionEvent(), continues: true, in: .varlink) }
        == #"{"parameters":{"sequence":-1,"timestamp_ns":0,"x":0,"y":0,"state":"idle","reduced_motion":false},"#
        + #""continues":true}·"#)
  }

  static let full: MotionEvent = {
    var event = MotionEvent()
    event.sequence = 41
    event.timestampNanoseconds = 1_700_000_000_123_456_789
    event.x = -0.1
    event.y = 1e-7
    event.state = .waiting
    event.reason = .replayEnded
    event.reducedMotion = true
    event.gap = true
    event.dropped = 3
    event.rate = .init(x: 0.25, y: -3, z: 1e22)
    event.tilt = .init(x: -1, y: 0.125)
    return event
  }()

  @Test func theFullEvent() {
    #expect(
      written { $0.appendReply(Self.full, continues: false, in: .jsonLines) }
        == #"{"parameters":{"sequence":41,"timestamp_ns":1700000000123456789,"x":-0.1,"y":1e-07,"#
        + #""state":"waiting","reason":"replay-ended","reduced_motion":true,"gap":true,"dropped":3,"#
        + #""rate":{"x":0.25,"y":-3,"z":1e+22},"tilt":{"x":-1,"y":0.125}}}"# + "\n")
    #expect(written { $0.append(MotionEvent()) }.hasPrefix(#"{"sequence":-1,"#))
  }

  @Test(arguments: MotionState.allCases, [nil] + StateReason.allCases)
  func eventsReadBack(_ state: MotionState, _ reason: StateReason?) throws {
    var event = Self.full
    event.state = state
    event.reason = reason
    event.rate = reason == nil ? nil : event.rate
    event.tilt = state == .idle ? nil : event.tilt
    var buffer = JSONBuffer()
    buffer.appendReply(event, continues: true, in: .varlink)
    let reply = try Reply<MotionEvent>(decoding: buffer.bytes.dropLast())
    #expect(reply.parameters == event)
    #expect(reply.continues)
  }

  @Test func numbersReadBackToTheSameDouble() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("number round trip seed \(seed)")
    var random = SplitMix64(seed: seed)
    var values = [
      0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, 1e21, 123_456_789_012_345_680,
    ]
    while values.count < 500 {
      let value = Double(bitPattern: random.next())
      if value.isFinite { values.append(value) }
    }
    for value in values {
      var event = MotionEvent()
      event.x = value
      var buffer = JSONBuffer()
      buffer.appendReply(event, continues: false, in: .varlink)
      let read = try Reply<MotionEvent>(decoding: buffer.bytes.dropLast()).parameters.x
      #expect(read == value, "seed \(seed): \(value)")
      let written = written { $0.value(value) }
      #expect(Double(written)?.bitPattern == value.bitPattern, "seed \(seed): \(value)")
    }
  }

  @Test func whatIsNotFiniteIsNull() {
    #expect(written { $0.value([.infinity, -.infinity, .nan, 1]) } == "[null,null,null,1]")
  }

  @Test func stringsAreEscaped() throws {
    let hostile = "\"\\\u{0}\u{1f}\n\r\t\u{7f}é€😀/"
    #expect(written { $0.value("\"\\\u{1}\n\t\r é") } == #""\"\\\u0001\n\t\u000d é""#)
    var buffer = JSONBuffer()
    buffer.appendError(.interfaceNotFound(hostile), in: .varlink)
    #expect(buffer.bytes.dropLast().allSatisfy { $0 >= 0x20 })
    #expect(throws: ReplyError.service(.interfaceNotFound(hostile))) {
      _ = try Reply<NoParameters>(decoding: buffer.bytes.dropLast())
    }
  }

  @Test func writingAgainTakesNoMoreMemory() {
    var buffer = JSONBuffer()
    buffer.appendReply(Self.full, continues: true, in: .varlink)
    let first = buffer.bytes
    buffer.removeAll()
    buffer.appendReply(Self.full, continues: true, in: .varlink)
    #expect(buffer.bytes == first)
  }

  static let errors: [(ServiceError, String)] = [
    (
      .interfaceNotFound("a.b"),
      #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"a.b"}}"#
    ),
    (
      .methodNotFound("a.B"), #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"a.B"}}"#
    ),
    (
      .methodNotImplemented("a.B"),
      #"{"error":"org.varlink.service.MethodNotImplemented","parameters":{"method":"a.B"}}"#
    ),
    (
      .invalidParameter("x"),
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"x"}}"#
    ),
    (.permissionDenied, #"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#),
    (.expectedMore, #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#),
    (.noSensor(reason: "busy"), #"{"error":"org.parallaxd.Motion.NoSensor","parameters":{"reason":"busy"}}"#),
    (.deviceMoved, #"{"error":"org.parallaxd.Motion.DeviceMoved","parameters":{}}"#),
    (
      .tooManySubscribers(limit: 7),
      #"{"error":"org.parallaxd.Motion.TooManySubscribers","parameters":{"limit":7}}"#
    ),
    (
      .invalidScene(path: "/a", reason: "b"),
      #"{"error":"org.parallaxd.Motion.InvalidScene","parameters":{"path":"/a","reason":"b"}}"#
    ),
    (
      .messageTooLong(limit: 65536),
      #"{"error":"org.parallaxd.Motion.MessageTooLong","parameters":{"limit":65536}}"#
    ),
  ]

  @Test(arguments: errors)
  func errorsAreWrittenAndRead(_ error: ServiceError, _ expected: String) {
    #expect(written { $0.appendError(error, in: .jsonLines) } == expected + "\n")
    #expect(throws: ReplyError.service(error)) { _ = try Reply<NoParameters>(decoding: bytes(expected)) }
  }

  @Test func repliesThatAreNone() {
    #expect(throws: ReplyError.unknown(name: "a.B")) {
      _ = try Reply<NoParameters>(decoding: bytes(#"{"error":"a.B"}"#))
    }
    for broken in ["", "{", "[]", "{}", #"{"parameters":{"sequence":"1"}}"#] {
      do {
        _ = try Reply<MotionEvent>(decoding: bytes(broken))
        Issue.record("\(broken) was read")
      } catch {
        guard case .malformed = error else {
          Issue.record("\(broken): \(error)")
          continue
        }
      }
    }
  }

  @Test func callsReadBack() throws {
    var buffer = JSONBuffer()
    buffer.appendCall("org.parallaxd.Motion.Pan", mode: .oneway) {
      $0.member("x", 1.5)
      $0.member("y", -2)
    }
    let call = try decode(text(buffer.bytes.dropLast()))
    #expect(
      call == Call(method: "org.parallaxd.Motion.Pan", mode: .oneway, request: .success(.pan(x: 1.5, y: -2))))
  }

  @Test func theStatusReadsBack() throws {
    var status = Status(backend: "iio")
    status.version = parallaxVersion
    status.state = .running
    status.text = "reads \"bmg160\""
    status.sensor.name = "bmg160"
    status.sensor.why = ["the only one", "it has a trigger"]
    status.sensor.frequencyMeasured = 199.97
    status.sensor.scale = [0.001, 0.001, 0.001]
    status.sensor.mountMatrixFrom = "none"
    status.configuration.files = ["/etc/parallaxd/parallaxd.toml"]
    status.configuration.loadedAt = 1_700_000_000
    status.configuration.scenes = ["launcher", "wallpaper"]
    status.settings = [.init(name: "motion.limit", value: "inf")]
    status.bias = [0.01, 0, -0.01]
    status.tilt = "gyroscope and accelerometer bma250 (in the same scans)"
    status.counters.outOfOrder = 2
    status.counters.eventsSent = 12
    status.retryIn = 1.5
    var buffer = JSONBuffer()
    buffer.appendReply(status, in: .varlink)
    #expect(try Reply<Status>(decoding: buffer.bytes.dropLast()).parameters == status)
    #expect(text(buffer.bytes).contains(#""reason":null,"#))
  }
}
