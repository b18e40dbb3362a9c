import Testing

@testable import Server
@testable import Wire

/// `Calibrate` on the wire: who is answered when.
@Suite struct CalibrationTests {
  static let found = CalibrationResult(bias: [0.5, 0, -0.25], confidence: 1, noise: [0.5, 0.5, 0.5])
  let reply = #"{"parameters":{"bias":[0.5,0,-0.25],"confidence":1,"noise":[0.5,0.5,0.5]}}"#

  @Test func callsBehindItWait() throws {
    let harness = try Harness()
    let client = try harness.connect()
    #expect(try harness.call(client, "Calibrate", #"{"duration":2.5}"#) == [])
    #expect(try harness.call(client, "Recenter") == [])
    let other = try harness.connect()
    #expect(try harness.call(other, "Calibrate") == [])
    #expect(harness.delegate.log == ["calibrate 2500000000", "calibrate nil"])
    harness.server.finishCalibration(harness.delegate.calibrations[0], .success(Self.found))
    #expect(client.receive() == [reply, #"{"parameters":{}}"#])
    #expect(other.receive() == [])
    harness.server.finishCalibration(harness.delegate.calibrations[1], .failure(.deviceMoved))
    #expect(other.receive()[0].contains("org.parallaxd.Motion.DeviceMoved"))
    // Neither is there any more, and both go on.
    for id in harness.delegate.calibrations { harness.server.finishCalibration(id, .failure(.deviceMoved)) }
    #expect(try harness.call(client, "Calibrate") == [])
    #expect(try harness.call(other, "Recenter").count == 1)
  }

  @Test func aRefusalIsAnsweredAtOnce() throws {
    let harness = try Harness()
    let client = try harness.connect()
    harness.delegate.refusal = .noSensor(reason: "no-device")
    let answer = try harness.call(client, "Calibrate")[0]
    #expect(answer.contains(#"NoSensor","parameters":{"reason":"no-device"}"#))
    #expect(try harness.call(client, "Recenter").count == 1)
  }

  @Test(arguments: [#"{"duration":1.9}"#, #"{"duration":61}"#, #"{"duration":"5"}"#, #"{"seconds":5}"#])
  func wrongParameters(_ parameters: String) throws {
    let harness = try Harness()
    let client = try harness.connect()
    #expect(try harness.call(client, "Calibrate", parameters)[0].contains("InvalidParameter"))
    #expect(harness.delegate.log == [])
  }

  @Test func whoHangsUpIsForgotten() throws {
    let harness = try Harness()
    let client = try harness.connect()
    _ = try harness.call(client, "Calibrate")
    client.hangUp()
    try harness.turn()
    #expect(harness.delegate.log == ["calibrate nil", "cancel 1"])
    harness.server.finishCalibration(1, .success(Self.found))
  }

  @Test func aHalfClosedConnectionIsAnsweredAndCloses() throws {
    let harness = try Harness()
    let client = try harness.connect(lines: true)
    client.send(call: "Calibrate")
    client.halfClose()
    try harness.turn()
    #expect(client.receive() == [] && !client.isClosed)
    harness.server.finishCalibration(1, .success(Self.found))
    try harness.turn()
    #expect(client.receive() == [reply])
    #expect(client.isClosed)
  }

  @Test func onewayHoldsUpWhatIsBehind() throws {
    let harness = try Harness()
    let client = try harness.connect()
    #expect(try harness.call(client, "Calibrate", "{}", #""oneway":true"#) == [])
    #expect(try harness.call(client, "Recenter") == [])
    harness.server.finishCalibration(1, .success(Self.found))
    #expect(client.receive() == [#"{"parameters":{}}"#])
  }
}
