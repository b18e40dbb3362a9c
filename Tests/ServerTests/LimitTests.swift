import Testing

@testable import Server
@testable import Wire

@Suite struct LimitTests {
  func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
    var limits = ServerLimits()
    change(&limits)
    return limits
  }

  @Test(arguments: [false, true])
  func oneConnectionTooManyIsToldSo(perUser: Bool) throws {
    let harness = try Harness(
      limits: limits { if perUser { $0.maxConnectionsPerUser = 2 } else { $0.maxConnections = 2 } })
    var admitted = try (0..<2).map { _ in try harness.connect() }
    let refused = try harness.connect(lines: true)
    #expect(harness.server.audience.connections == 2)
    #expect(
      try harness.call(refused, "Recenter")
        == [#"{"error":"org.parallaxd.Motion.TooManySubscribers","parameters":{"limit":2}}"#])
    #expect(refused.isClosed)
    #expect(harness.delegate.log == [])
    admitted.removeLast().hangUp()
    try harness.turn()
    let next = try harness.connect()
    #expect(try harness.call(next, "Recenter") == [#"{"parameters":{}}"#])
  }

  @Test func manyTooManyAreToldUnasked() throws {
    let harness = try Harness(limits: limits { $0.maxConnections = 0 })
    let waiting = try (0..<Server.maxRefused).map { _ in try harness.connect() }
    let next = try harness.connect()
    #expect(
      next.receive() == [#"{"error":"org.parallaxd.Motion.TooManySubscribers","parameters":{"limit":0}}"#])
    #expect(next.isClosed)
    #expect(harness.server.sessions.count == Server.maxRefused)
    for client in waiting { client.hangUp() }
    try harness.turn()
    #expect(harness.server.sessions.isEmpty)
    #expect(harness.server.timerDeadline == .max)
  }

  @Test func aRefusedConnectionThatIsSilentIsClosed() throws {
    let harness = try Harness(
      limits: limits {
        $0.maxConnections = 0
        $0.messageTimeoutNanoseconds = 5_000_000
      })
    let client = try harness.connect()
    var replies: [String] = []
    try harness.turn {
      replies += client.receive()
      return client.isClosed
    }
    #expect(replies.count == 1)
  }

  @Test func aMessageThatDoesNotEndEndsTheConnection() throws {
    let patient = try Harness(limits: limits { $0.messageTimeoutNanoseconds = 60_000_000_000 })
    let begun = try patient.connect()
    #expect(patient.server.timerDeadline == .max)
    begun.send("{\"method\":")
    try patient.turn()
    #expect(patient.server.timerDeadline != .max)

    let harness = try Harness(limits: limits { $0.messageTimeoutNanoseconds = 5_000_000 })
    let idle = try harness.connect()
    let client = try harness.connect()
    client.send("{\"method\":")
    var replies: [String] = []
    try harness.turn {
      replies += client.receive()
      return client.isClosed
    }
    #expect(
      replies == [#"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"message"}}"#])
    client.hangUp()
    try harness.turn()
    #expect(harness.server.timerDeadline == .max)
    #expect(try harness.call(idle, "Recenter").count == 1)
  }

  @Test func theClockOfAMessageStopsWhenItEnds() throws {
    let harness = try Harness()
    let client = try harness.connect()
    client.send("{\"method\":")
    try harness.turn()
    #expect(harness.server.timerDeadline != .max)
    client.send("\"a.B\"}\0 \n")
    try harness.turn()
    #expect(client.receive().count == 1)
    #expect(harness.server.timerDeadline == .max)
  }

  @Test func messagesAreBounded() throws {
    let harness = try Harness(limits: limits { $0.wire.maxMessage = 100 })
    let client = try harness.connect()
    client.send("{\"method\":\"\(String(repeating: "x", count: 200))")
    try harness.turn()
    #expect(
      client.receive() == [#"{"error":"org.parallaxd.Motion.MessageTooLong","parameters":{"limit":100}}"#])
    #expect(client.isClosed)
    // The rest is read and thrown away for a while, and then no longer.
    for _ in 0..<20 {
      client.send(String(repeating: "x", count: 100_000))
      try harness.turn()
    }
    #expect(harness.server.sessions.isEmpty)
  }

  @Test func moreCallsAtOnceThanAllowed() throws {
    let harness = try Harness()
    let client = try harness.connect()
    client.send(String(repeating: "{\"method\":\"org.parallaxd.Motion.Recenter\"}\0", count: 17))
    try harness.turn()
    let replies = client.receive()
    #expect(replies.count == 17)
    #expect(replies.last?.contains(#""parameter":"pipelining""#) == true)
    #expect(client.isClosed)
    #expect(harness.delegate.log.count == 16)
  }

  @Test func whoTakesNothingIsClosed() throws {
    let harness = try Harness(limits: limits { $0.clientTimeoutNanoseconds = 20_000_000 })
    let client = try harness.connect()
    client.send(call: "Subscribe", #"{"only_changes":false}"#, #""more":true"#)
    try harness.turn()
    for sequence in 0..<100 { harness.server.publish(event(Int64(sequence))) }
    #expect(harness.server.timerDeadline != .max)
    try harness.turn { harness.server.sessions.isEmpty }
    #expect(harness.server.audience == Audience())
    #expect(harness.server.timerDeadline == .max)
  }

  @Test func whoTakesALittleIsNotClosed() throws {
    let harness = try Harness(limits: limits { $0.clientTimeoutNanoseconds = 20_000_000 })
    let client = try harness.connect()
    client.send(call: "Subscribe", #"{"only_changes":false,"backlog":32}"#, #""more":true"#)
    try harness.turn()
    for sequence in 0..<100 { harness.server.publish(event(Int64(sequence))) }
    let session = try #require(harness.server.sessions.values.first)
    // Each time one event, which is far from making the socket writable.
    for _ in 0..<5 {
      let before = session.deadline
      #expect(client.receive(limit: 1).count == 1)
      try harness.turn { session.deadline != before }
      #expect(!session.isFinished)
    }
    try harness.turn { session.isFinished }
  }
}
