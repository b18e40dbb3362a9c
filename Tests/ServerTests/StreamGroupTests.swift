import TestSupport
import Testing

@testable import Server
@testable import Wire

@Suite struct StreamGroupTests {
  func subscribe(_ harness: Harness, _ parameters: String, lines: Bool = false) throws -> TestClient {
    let client = try harness.connect(lines: lines)
    client.send(call: "Subscribe", "{\(parameters)}", #""more":true"#)
    try harness.turn()
    return client
  }

  @Test func thoseWithTheSameOptionsAreOneGroup() throws {
    let harness = try Harness()
    let same = #""only_changes":false,"backlog":"#
    var clients = [
      try subscribe(harness, same + "8"), try subscribe(harness, same + "64"),
      try subscribe(harness, same + "1"),
    ]
    #expect(harness.server.groups.map(\.count) == [3])
    clients.append(try subscribe(harness, ""))
    clients.append(try subscribe(harness, same + "8", lines: true))
    #expect(harness.server.groups.map(\.count) == [3, 1, 1])
    #expect(harness.server.audience.subscribers == 5)
    for sequence in Int64(0)..<3 { harness.server.publish(event(sequence)) }
    // Those who come later are sent the same.
    clients.append(try subscribe(harness, same + "8"))
    for sequence in Int64(3)..<6 { harness.server.publish(event(sequence)) }
    let expected: [[Int64]] = [
      [-1, 0, 1, 2, 3, 4, 5], [-1, 0, 1, 2, 3, 4, 5], [-1], [-1, 0, 1, 2, 3, 4, 5], [-1, 0, 1, 2, 3, 4, 5],
      [-1, 3, 4, 5],
    ]
    for (client, sequences) in zip(clients, expected) {
      #expect(try client.events().map(\.sequence) == sequences)
    }
    while let client = clients.popLast() {
      client.hangUp()
      try harness.turn()
      #expect(harness.server.audience.subscribers == clients.count)
    }
    #expect(harness.server.groups.isEmpty)
  }

  /// Many who read now and then, and come and go, are each sent what one alone would be.
  @Test(arguments: ["", #""only_changes":false"#, #""only_changes":false,"min_interval":0.05"#])
  func eachAccountIsItsOwn(options: String) throws {
    let seed = UInt64.random(in: .min ... .max)
    print("stream group seed \(seed)")
    var random = SplitMix64(seed: seed)
    let harness = try Harness()
    let parameters = options + (options.isEmpty ? "" : ",") + #""backlog":"#
    var clients: [(client: TestClient, seen: [MotionEvent], eagerness: Int)] = []
    var made: Int64 = -1
    for _ in 0..<600 {
      if clients.count < 12, Int.random(in: 0..<8, using: &random) == 0 {
        let backlog = Int.random(in: 1...24, using: &random)
        let eagerness = Int.random(in: 0...3, using: &random)
        clients.append((try subscribe(harness, parameters + "\(backlog)"), [], eagerness))
      } else if clients.count > 8, Int.random(in: 0..<20, using: &random) == 0 {
        let gone = clients.remove(at: Int.random(in: 0..<clients.count, using: &random))
        gone.client.hangUp()
        try harness.turn()
      }
      made += Int64.random(in: 1...2, using: &random)
      var next = event(made)
      if Bool.random(using: &random) { next.x = 7 }
      next.gap = Int.random(in: 0..<10, using: &random) == 0
      harness.delegate.presentEvent = next
      harness.delegate.presentEvent.gap = false
      harness.server.publish(next)
      for index in clients.indices {
        let reads = clients[index].eagerness == 0 || Int.random(in: 0..<8, using: &random) < 2
        guard reads, clients[index].eagerness < 3 else { continue }
        let limit = clients[index].eagerness == 0 ? Int.max : 2
        clients[index].seen += try clients[index].client.events(limit: limit)
      }
      try harness.turn()
    }
    for _ in 0..<50 {
      for index in clients.indices { clients[index].seen += try clients[index].client.events() }
      try harness.turn()
    }
    var last = event(made + 1)
    last.state = .stalled
    harness.server.publish(last)
    for (client, seen, eagerness) in clients {
      let events = seen + (try client.events())
      #expect(events.last?.state == .stalled)
      #expect(eagerness > 0 || events.allSatisfy { $0.dropped == 0 })
      for (before, after) in zip(events, events.dropFirst()) {
        #expect(after.sequence > before.sequence)
        #expect(after.sequence - before.sequence > after.dropped)
        // Of events that follow each other nothing but doubles is left out.
        if options == #""only_changes":false"#, after.state == .running {
          #expect(after.dropped > 0 || after.sequence - before.sequence <= 2)
        }
        if options.contains("min_interval"), before.state == .running, after.state == .running {
          #expect(after.timestampNanoseconds - before.timestampNanoseconds >= 50_000_000)
        }
        // What replaces a held event may be like the one before.
        if options.isEmpty, after.dropped == 0 {
          #expect(after.x != before.x || after.gap != before.gap || after.state != before.state)
        }
      }
    }
    #expect(harness.server.counters.dropped > 0)
  }

  @Test func aSubscriberThatFallsBehindComesBack() throws {
    let harness = try Harness()
    let clients = try (0..<3).map { _ in try subscribe(harness, #""only_changes":false"#) }
    harness.server.publish(event(0))
    let group = try #require(harness.server.groups.first)
    #expect(group.stragglerCount == 0)
    for sequence in Int64(1)..<40 {
      harness.server.publish(event(sequence))
      _ = clients[0].receive()
      _ = clients[2].receive()
    }
    #expect(group.stragglerCount == 1)
    try harness.turn()
    let late = try clients[1].events()
    try harness.turn()
    #expect(try clients[1].events().last?.sequence == 39)
    #expect(late.last?.sequence ?? 0 < 39)
    harness.server.publish(event(40))
    #expect(group.stragglerCount == 0)
    for client in clients { #expect(try client.events() == [event(40)]) }
  }
}
