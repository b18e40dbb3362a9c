import TestSupport
import Testing

@testable import Server
@testable import Wire

@Suite struct BackpressureTests {
  /// Everything is made while one does not read; then it reads.
  @Test(arguments: [1, 2, 3, 4, 8, 20, 64, 200])
  func aStoppedReader(backlog: Int) throws {
    let harness = try Harness()
    let stopped = try harness.connect()
    let reader = try harness.connect()
    for client in [stopped, reader] {
      client.send(call: "Subscribe", "{\"only_changes\":false,\"backlog\":\(backlog)}", #""more":true"#)
    }
    try harness.turn()
    #expect(stopped.receive().count == 1)
    var seen = try reader.events()
    let made = 3 * Int64(backlog) + 10
    for sequence in 0..<made {
      harness.server.publish(event(sequence))
      seen += try reader.events()
      try harness.turn()
    }
    #expect(seen.map(\.sequence) == Array(-1..<made))

    var late: [MotionEvent] = []
    for _ in 0..<made {
      late += try stopped.events(limit: 1)
      try harness.turn()
    }
    // Its backlog of stale events without a hole, then the newest.
    let stale = late.dropLast()
    #expect(stale.count <= backlog)
    #expect(stale.count >= min(backlog, 200) * 9 / 10)
    #expect(stale.map(\.sequence) == Array(0..<Int64(stale.count)))
    #expect(stale.allSatisfy { $0.dropped == 0 })
    #expect(late.last?.sequence == made - 1)
    #expect(Int64(late.count) + (late.last?.dropped ?? 0) == made)
    #expect(harness.server.counters.dropped == late.last?.dropped)

    // It has caught up.
    harness.server.publish(event(made))
    #expect(try stopped.events() == [event(made)])
  }

  /// One that reads now and then: whatever it misses is counted.
  @Test func receivedAndDroppedAreMade() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("backpressure seed \(seed)")
    var random = SplitMix64(seed: seed)
    for backlog in [1, 3, 8, 16] {
      let harness = try Harness()
      let client = try harness.connect()
      client.send(call: "Subscribe", "{\"only_changes\":false,\"backlog\":\(backlog)}", #""more":true"#)
      try harness.turn()
      var events: [MotionEvent] = []
      var sequence: Int64 = -1
      var gaps = 0
      for _ in 0..<500 {
        sequence += Int64.random(in: 1...3, using: &random)
        var next = event(sequence)
        next.gap = Int.random(in: 0..<10, using: &random) == 0
        if next.gap { gaps += 1 }
        harness.server.publish(next)
        if Int.random(in: 0..<4, using: &random) == 0 {
          events += try client.events(limit: Int.random(in: 1...6, using: &random))
        }
        try harness.turn()
      }
      for _ in 0..<100 {
        events += try client.events()
        try harness.turn()
      }
      #expect(events.last?.sequence == sequence)
      #expect(events.map(\.sequence) == events.map(\.sequence).sorted())
      #expect(events.contains { $0.dropped > 0 })
      #expect(harness.server.counters.dropped == events.reduce(0) { $0 + $1.dropped })
      // Each event says how many updates were lost before it: at least as many as its own are left.
      for (before, after) in zip(events, events.dropFirst()) {
        #expect(after.sequence - before.sequence > after.dropped)
        #expect(after.dropped > 0 || after.sequence - before.sequence <= 3)
      }
      #expect(gaps == 0 || events.contains { $0.gap })
    }
  }

  @Test func aStateThatWasNotReadIsNotLost() throws {
    let harness = try Harness()
    let client = try harness.connect()
    client.send(call: "Subscribe", #"{"backlog":4}"#, #""more":true"#)
    try harness.turn()
    for sequence in 0..<20 { harness.server.publish(event(Int64(sequence))) }
    var last = event(19)
    last.state = .stalled
    last.reason = .noData
    harness.server.publish(last)
    var events: [MotionEvent] = []
    for _ in 0..<20 {
      events += try client.events()
      try harness.turn()
    }
    #expect(events.last?.state == .stalled)
    #expect(events.last?.x == 19)
  }

  /// The socket is not asked again and again while a stopped reader's buffer is full.
  @Test(arguments: [1, 2, 8])
  func aStoppedReaderCostsNoTurns(backlog: Int) throws {
    let harness = try Harness()
    let client = try harness.connect()
    client.send(call: "Subscribe", "{\"backlog\":\(backlog)}", #""more":true"#)
    try harness.turn()
    for sequence in 0..<50 { harness.server.publish(event(Int64(sequence))) }
    try harness.turn()
    #expect(try !harness.loop.turn())
  }
}
