import Testing

@testable import Server
@testable import Wire

@Suite struct StreamTests {
  let subscribe = #""more":true"#

  @Test func theFirstEventIsThePresentState() throws {
    let harness = try Harness()
    harness.delegate.presentEvent = event(7)
    harness.delegate.presentEvent.rate = .init(x: 1, y: 2, z: 3)
    let client = try harness.connect()
    // The daemon publishes as soon as it hears of the subscriber.
    harness.delegate.onAudience = { [unowned harness] in harness.server.publish(event(8)) }
    client.send(call: "Subscribe", "{}", subscribe)
    try harness.turn()
    #expect(try client.events() == [event(7), event(8)])
    #expect(harness.server.audience.subscribers == 1)
  }

  @Test func everySubscriberGetsEveryEvent() throws {
    let harness = try Harness()
    let clients = try (0..<6).map { try harness.connect(lines: $0 % 2 == 1) }
    for (index, client) in clients.enumerated() {
      let rotation = index < 4 ? 0 : 180
      client.send(call: "Subscribe", "{\"screen_rotation\":\(rotation),\"rate\":\(index == 3)}", subscribe)
    }
    try harness.turn()
    for sequence in 0..<5 {
      var event = event(Int64(sequence))
      event.rate = .init(x: 1, y: 2, z: 3)
      harness.server.publish(event)
    }
    for (index, client) in clients.enumerated() {
      let events = try client.events().dropFirst()
      #expect(events.map(\.sequence) == [0, 1, 2, 3, 4])
      #expect(events.map(\.x) == (index < 4 ? [0, 1, 2, 3, 4] : [0, -1, -2, -3, -4]))
      #expect(events.allSatisfy { ($0.rate != nil) == (index == 3) })
    }
    #expect(harness.server.counters.eventsSent == 36)
    #expect(harness.server.counters.dropped == 0)
  }

  @Test func aHalfClosedStreamGoesOnUntilTheHangUp() throws {
    let harness = try Harness()
    let client = try harness.connect(lines: true)
    client.send(call: "Subscribe", "{}", subscribe)
    client.halfClose()
    try harness.turn()
    harness.server.publish(event(1))
    #expect(try client.events().map(\.sequence) == [-1, 1])
    client.hangUp()
    try harness.turn()
    #expect(harness.server.audience == Audience())
  }

  @Test func nothingElseIsProcessedWhileAStreamIsOpen() throws {
    let harness = try Harness()
    let client = try harness.connect()
    client.send(call: "Subscribe", "{}", subscribe)
    try harness.turn()
    for _ in 0..<16 { client.send(call: "Recenter") }
    try harness.turn()
    #expect(harness.delegate.log == [])
    #expect(harness.server.audience.subscribers == 1)
    client.send(call: "Recenter")
    try harness.turn()
    #expect(harness.server.audience.subscribers == 0)
    #expect(client.receive().last?.contains("InvalidParameter") == true)
    #expect(client.isClosed)
    #expect(harness.delegate.log == [])
  }

  @Test func aHangUpIsNoticedWhenNoMoreIsRead() throws {
    let harness = try Harness()
    let client = try harness.connect()
    client.send(call: "Subscribe", "{}", subscribe)
    let long = "{\"method\":\"\(String(repeating: "x", count: 30_000))\"}\0"
    for _ in 0..<5 {
      client.send(long)
      try harness.turn()
    }
    let session = try #require(harness.server.sessions.values.first)
    #expect(session.input.buffered < 65_536 + 32_768)
    #expect(session.input.waiting < 5)
    #expect(harness.server.audience.subscribers == 1)
    client.hangUp()
    try harness.turn()
    #expect(harness.server.audience == Audience())
  }

  @Test func aSubscriberThatIsGoneIsFoundOutByPublishing() throws {
    let harness = try Harness()
    let clients = try (0..<3).map { _ in try harness.connect() }
    for client in clients { client.send(call: "Subscribe", "{}", subscribe) }
    try harness.turn()
    var counts: [Int] = []
    harness.delegate.onAudience = { [unowned harness] in
      counts.append(harness.server.audience.subscribers)
      harness.server.publish(event(2))
    }
    clients[1].hangUp()
    harness.server.publish(event(1))
    #expect(counts.last == 2)
    #expect(try clients[0].events().map(\.sequence) == [-1, 1, 2])
    #expect(try clients[2].events().map(\.sequence) == [-1, 1, 2])
  }

  @Test func sessionsAreFreed() throws {
    let harness = try Harness()
    let client = try harness.connect()
    client.send(call: "Subscribe", "{}", subscribe)
    try harness.turn()
    weak let session = harness.server.sessions.values.first
    #expect(session != nil)
    client.hangUp()
    try harness.turn()
    #expect(session == nil)

    let left = try harness.connect()
    weak let other = harness.server.sessions.values.first
    #expect(other != nil)
    harness.server.close()
    #expect(other == nil)
    #expect(left.receive().isEmpty && left.isClosed)
  }

  @Test func reducedForItself() throws {
    let harness = try Harness()
    harness.delegate.presentEvent = event(3)
    let client = try harness.connect()
    client.send(call: "Subscribe", #"{"reduced_motion":true,"rate":true}"#, subscribe)
    try harness.turn()
    let first = try #require(try client.events().first)
    #expect(first.state == .reduced)
    #expect(first.reason == .user)
    #expect(first.x == 0 && first.reducedMotion)
    #expect(harness.server.audience.reduced == 1)
    harness.server.publish(event(4))
    #expect(try client.events() == [])
    // "Subtle" instead of "none", by a reload: told at once, and the sensor is wanted.
    harness.server.reducedMotionScale = 0.5
    #expect(harness.server.audience.reduced == 0)
    let subtle = try #require(try client.events().first)
    #expect(subtle.state == .running && subtle.x == 1.5 && subtle.reducedMotion)
  }

  /// What the sensor may be late for everybody: who sees no motion has no say.
  @Test func patienceOfTheAudience() throws {
    let harness = try Harness()
    var clients: [TestClient] = []
    func patience(after parameters: String) throws -> Int64 {
      let client = try harness.connect()
      client.send(call: "Subscribe", parameters, subscribe)
      try harness.turn()
      clients.append(client)
      return harness.server.audience.patienceNanoseconds
    }
    #expect(harness.server.audience.patienceNanoseconds == 0)
    #expect(try patience(after: #"{"reduced_motion":true}"#) == 0)
    #expect(try patience(after: #"{"min_interval":2}"#) == 2_000_000_000)
    #expect(try patience(after: #"{"min_interval":0.5}"#) == 500_000_000)
    #expect(try patience(after: "{}") == 0)
  }
}
