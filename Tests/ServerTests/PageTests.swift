import CLinux
import CPage
import Glibc
import Linux
import Page
import TestSupport
import Testing

@testable import Server
@testable import Wire

private let reply = #"{"parameters":{"version":1,"size":192,"fileDescriptor":0}}"#

/// `OpenPage`: what a connection gets, what it counts as, and when its page is written.
struct PageTests {
  /// Opens a page on a connection; its reader.
  private func open(_ harness: Harness, _ client: TestClient) throws -> PageLook {
    client.send(call: "OpenPage")
    try harness.turn()
    let (text, descriptor) = client.receiveWithDescriptor()
    #expect(text.dropLast() == reply)
    let page = try #require(descriptor)
    return try PageLook(mapping: FileDescriptor(owning: page))
  }

  @Test(arguments: [false, true])
  func thePageIsThereAtOnceAndFollows(lines: Bool) throws {
    let harness = try Harness()
    harness.delegate.presentEvent.sequence = 5
    let page = try open(harness, try harness.connect(lines: lines))
    #expect(page.read() && page.frame.sequence == 5 && page.frame.stateToken == "idle")
    var moved = event(6)
    moved.velocityX = 12
    moved.rate = MotionEvent.Rate(x: 1, y: 2, z: 3)
    harness.server.publish(moved)
    #expect(page.read() && page.frame.x == 6 && page.frame.velocity_x == 12 && page.frame.isRunning)
    #expect(page.frame.hasRate && page.frame.rate_z == 3)
    #expect(page.frame.timestamp_ns == 60_000_000 && page.frame.published_monotonic_ns > 0)
  }

  @Test func everyStateAndReason() throws {
    let harness = try Harness()
    let page = try open(harness, try harness.connect())
    for state in MotionState.allCases {
      for reason in StateReason.allCases.map(Optional.some) + [nil] {
        var event = event(1)
        event.state = state
        event.reason = reason
        event.reducedMotion = state == .reduced
        harness.server.publish(event)
        #expect(page.read())
        #expect(page.frame.stateToken == state.rawValue && page.frame.reasonToken == reason?.rawValue)
        #expect(page.frame.isRunning == (state == .running))
        #expect(page.frame.hasReducedMotion == (state == .reduced))
      }
    }
  }

  /// What nobody can draw is not written: the offset is still read.
  @Test func absurdVelocities() throws {
    let harness = try Harness()
    let page = try open(harness, try harness.connect())
    for velocity in [Double.infinity, -.infinity, .nan, 1e16] {
      var event = event(3)
      event.velocityX = velocity
      event.velocityY = 4
      harness.server.publish(event)
      #expect(page.read() && page.frame.x == 3 && page.frame.velocity_x == 0 && page.frame.velocity_y == 4)
    }
  }

  /// It counts as a subscriber with no patience; other calls go on, and so does a second page refused.
  @Test func countsAsASubscriber() throws {
    let harness = try Harness()
    let client = try harness.connect()
    let page = try open(harness, client)
    #expect(harness.server.audience.subscribers == 1 && harness.server.audience.pages == 1)
    #expect(harness.server.audience.patienceNanoseconds == 0)
    let refused = try harness.call(client, "OpenPage")
    #expect(refused.count == 1 && refused[0].contains(#"TooManySubscribers","parameters":{"limit":1}"#))
    #expect(try harness.call(client, "Recenter") == [#"{"parameters":{}}"#])
    client.send(call: "Subscribe", #"{"min_interval":1}"#, #""more":true"#)
    try harness.turn()
    #expect(try client.events().count == 1)
    #expect(harness.server.audience.subscribers == 2 && harness.server.audience.patienceNanoseconds == 0)
    harness.server.publish(event(9))
    #expect(page.read() && page.frame.sequence == 9)
    client.hangUp()
    try harness.turn()
    #expect(harness.server.audience == Audience())
    // Who keeps it mapped sees that nothing moves any more.
    #expect(page.read() && page.frame.stateToken == "idle" && !page.frame.isRunning)
    harness.server.publish(event(10))
    #expect(page.read() && page.frame.sequence != 10)
  }

  /// One page for all that see the same, written once an event.
  @Test func readersCostNothing() throws {
    let harness = try Harness()
    let clients = try (0..<20).map { _ in try harness.connect() }
    let first = try open(harness, clients[0])
    for client in clients.dropFirst() { _ = try open(harness, client) }
    #expect(harness.server.audience.pages == 20)
    let before = MonotonicClock.nanoseconds
    for sequence in 1...5 { harness.server.publish(event(Int64(sequence))) }
    #expect(first.read() && first.frame.sequence == 5 && first.frame.published_monotonic_ns >= before)
    #expect(harness.server.counters.eventsSent == 0)
    for client in clients.dropLast() { client.hangUp() }
    try harness.turn()
    harness.server.publish(event(6))
    #expect(first.read() && first.frame.sequence == 6)
  }

  /// Behind other calls, and to a socket that takes nothing: the descriptor comes once, with the reply's
  /// first byte.
  @Test(arguments: [false, true])
  func pipelinedBehindOthersIntoAFullSocket(lines: Bool) throws {
    let harness = try Harness()
    let client = try harness.connect(lines: lines)
    var sent = 0
    // The status is long: some of them fill the socket, and the replies behind wait.
    while sent < 16 * 64 {
      for _ in 0..<8 {
        client.send(
          call: "org.varlink.service.GetInterfaceDescription", #"{"interface":"org.parallaxd.Motion"}"#)
      }
      sent += 8
      try harness.turn()
      if harness.server.sessions.values.contains(where: { !$0.output.isEmpty }) { break }
    }
    client.send(call: "OpenPage")
    client.send(call: "GetStatus")
    try harness.turn()
    #expect(harness.server.audience.pages == 0, "not before what is before it has gone out")
    var texts: [String] = []
    var descriptors: [Int32] = []
    var quiet = 0
    while quiet < 2 {
      let (text, descriptor) = client.receiveWithDescriptor()
      try harness.turn()
      quiet = text.isEmpty ? quiet + 1 : 0
      texts.append(text)
      guard let descriptor else { continue }
      descriptors.append(descriptor)
      #expect(text.contains(reply))
    }
    #expect(descriptors.count == 1)
    #expect(texts.joined().components(of: lines ? "\n" : "\0").count == sent + 2)
    for descriptor in descriptors {
      let page = try PageLook(mapping: FileDescriptor(owning: descriptor))
      #expect(page.read())
    }
  }

  /// A restart: the next server writes the same memory, and mends what the one before left half written.
  @Test func aPageIsTakenUp() throws {
    let old = try Harness()
    let page = try open(old, try old.connect())
    let (with, without) = (
      old.server.pages.descriptor(of: .withRates), old.server.pages.descriptor(of: .withoutRates)
    )
    #expect(without == nil)
    let number = try #require(with)
    let kept = FileDescriptor(owning: try checked("dup") { dup(number) })
    var pages = Pages()
    try pages.takeUp(.withRates, owning: kept, present: event(41))
    #expect(page.read() && page.frame.sequence == 41)
    let again = try pages.open(.withRates, present: event(0))
    let other = try PageLook(mapping: again)
    #expect(other.read() && other.frame.sequence == 41, "the same page for who comes later")
    pages.didOpen()
    pages.publish(event(42))
    #expect(page.read() && page.frame.sequence == 42)
    #expect(other.read() && other.frame.sequence == 42)
    pages.close(.withRates, present: event(42))
    #expect(page.read() && page.frame.stateToken == "idle")
  }

  @Test func onewayGetsNothing() throws {
    let harness = try Harness()
    let client = try harness.connect()
    #expect(try harness.call(client, "OpenPage", "{}", #""oneway":true"#).isEmpty)
    #expect(harness.server.audience.pages == 0)
    #expect(try harness.call(client, "OpenPage", #"{"size":1}"#)[0].contains("InvalidParameter"))
  }

  /// The policy's part of a reload: whose rates are taken away.
  @Test(
    arguments: [
      (false, nil, true, nil, false), (true, nil, false, nil, true), (true, 5, true, 6, false),
      (false, 5, false, 5, false), (false, 5, false, 6, true), (false, 5, false, nil, true),
      (false, nil, false, 6, false), (true, nil, true, nil, false),
    ] as [(Bool, UInt32?, Bool, UInt32?, Bool)])
  func whoseRatesAReloadTakes(_ a: Bool, _ groupA: UInt32?, _ b: Bool, _ groupB: UInt32?, takes: Bool) {
    var old = AccessPolicy()
    old.allowRate = a
    old.controlGroup = groupA
    var new = AccessPolicy()
    new.allowRate = b
    new.controlGroup = groupB
    #expect(new.takesRates(from: old) == takes)
  }

  /// Who still may see them opens another page; the one that was shared has no rates any more.
  @Test func aReloadThatTakesRatesAway() throws {
    let harness = try Harness()
    var access = AccessPolicy()
    access.allowRate = true
    harness.server.apply(limits: ServerLimits(), access: access)
    let client = try harness.connect()
    let page = try open(harness, client)
    var moved = event(1)
    moved.rate = MotionEvent.Rate(x: 1, y: 2, z: 3)
    harness.server.publish(moved)
    #expect(page.read() && page.frame.hasRate)
    harness.server.apply(limits: ServerLimits(), access: AccessPolicy())
    try harness.turn()
    #expect(page.read() && !page.frame.hasRate && page.frame.rate_x == 0 && !page.frame.isRunning)
    #expect(client.receive().isEmpty && client.isClosed)
    #expect(harness.server.audience == Audience())
    harness.server.publish(moved)
    #expect(page.read() && !page.frame.hasRate)
  }
}

extension String {
  /// The parts that end in `end`, without those ends.
  fileprivate func components(of end: Character) -> [Substring] { split(separator: end) }
}
