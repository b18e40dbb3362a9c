import Glibc
import Linux
import Motion
import TestSupport
import Testing

@testable import Server
@testable import Wire

@Suite struct RawStreamTests {
  func samples(_ times: Range<Int64>) -> [RawSample] {
    times.map { RawSample(timestampNanoseconds: $0, raw: Vector3(Double($0), 0, -1)) }
  }

  func publish(_ samples: [RawSample], _ harness: Harness) {
    samples.withUnsafeBufferPointer { harness.server.publishRaw($0) }
  }

  func allowed() throws -> Harness {
    let harness = try Harness()
    var access = AccessPolicy()
    access.allowRaw = true
    harness.server.apply(limits: ServerLimits(), access: access)
    return harness
  }

  func subscribe(_ harness: Harness, _ parameters: String = "{}") throws -> TestClient {
    let client = try harness.connect()
    client.send(call: "SubscribeRaw", parameters, #""more":true"#)
    try harness.turn()
    return client
  }

  func messages(_ client: TestClient, limit: Int = .max) throws -> [RawMessage] {
    try client.receive(limit: limit).map { try Reply<RawMessage>(decoding: Array($0.utf8)).parameters }
  }

  // MARK: What waits

  @Test func whatIsKeptHasNoHole() {
    let seed = UInt64.random(in: .min ... .max)
    print("raw stream seed \(seed)")
    var random = SplitMix64(seed: seed)
    let stream = RawStream()
    var made: Int64 = 0
    var received: [Int64] = []
    var lost: Int64 = 0
    func take(_ batches: Int) {
      var left = batches
      while left > 0, !stream.isEmpty {
        left -= 1
        // What was lost lies just before what comes now.
        #expect(stream.scan(at: 0).timestampNanoseconds == (received.last ?? -1) + stream.lostBefore + 1)
        lost += stream.lostBefore
        for index in 0..<stream.batchCount { received.append(stream.scan(at: index).timestampNanoseconds) }
        stream.didSend(count: stream.batchCount)
      }
    }
    for step in 0..<2000 {
      let count = Int.random(in: 1...64, using: &random)
      if stream.admits(count: count) {
        for index in 0..<count {
          stream.append(RawScan(timestampNanoseconds: made + Int64(index), x: 0, y: 0, z: 0))
        }
      }
      made += Int64(count)
      // Once nothing is taken for so long that some must be lost, whatever the seed.
      let reads = !(500..<1000).contains(step) && Int.random(in: 0..<20, using: &random) == 0
      take(reads ? 40 : 0)
    }
    take(.max)
    #expect(received == received.sorted() && lost > 0)
    #expect(received.last == Int64(received.count) + lost - 1, "received + lost = made, up to the last")
  }

  @Test func aRestartLosesWhatWaits() {
    let stream = RawStream()
    #expect(stream.admits(count: 2))
    for time: Int64 in 0..<2 { stream.append(RawScan(timestampNanoseconds: time, x: 0, y: 0, z: 0)) }
    stream.didSendHeader()
    #expect(!stream.needsHeader)
    stream.restart()
    #expect(stream.isEmpty && stream.needsHeader && stream.isRestarted && stream.lostBefore == 2)
  }

  // MARK: Over a socket

  /// Runs with everybody who is connected taken for somebody without any right.
  func withoutControl<Result>(_ body: () throws -> Result) throws -> Result {
    try ForcedFault.$present.withValue(ForcedFault(EPERM, at: "ask who is"), operation: body)
  }

  /// Calls `SubscribeRaw` as somebody without the right to change anything for others.
  func subscribeWithoutControl(_ harness: Harness, _ parameters: String = "{}") throws -> TestClient {
    let client = try harness.connect()
    client.send(call: "SubscribeRaw", parameters, #""more":true"#)
    try withoutControl { try harness.turn() }
    return client
  }

  @Test func onlyForThoseWhoMayControl() throws {
    let harness = try Harness()
    let client = try subscribeWithoutControl(harness)
    #expect(client.receive().first?.contains("PermissionDenied") == true)
    #expect(harness.server.audience.subscribers == 0 && harness.delegate.log.isEmpty)
    #expect(try messages(subscribe(harness)) == [.header(RawHeader())])
    #expect(harness.delegate.log == ["restart"])
  }

  @Test func whoIsOnlyAllowedToLookBeginsNothingAnew() throws {
    let harness = try allowed()
    let first = try subscribe(harness)
    _ = try messages(first)
    harness.delegate.log = []
    #expect(try subscribeWithoutControl(harness, #"{"recenter":true}"#).receive()[0].contains("Denied"))
    let second = try subscribeWithoutControl(harness)
    #expect(harness.delegate.log.isEmpty)
    var midStream = RawHeader()
    midStream.midStream = true
    #expect(try messages(second) == [.header(midStream)])
    publish(samples(0..<1), harness)
    let batch = [RawMessage.batch([RawScan(timestampNanoseconds: 0, x: 0, y: 0, z: -1)], dropped: 0)]
    #expect(try messages(first) == batch && messages(second) == batch)
    // It has all of the next stream.
    harness.server.rawStreamDidRestart()
    publish(samples(1..<2), harness)
    var again = RawHeader()
    again.restart = true
    #expect(try messages(second).first == .header(again))
  }

  @Test func aStreamThatHasNotBegunIsNobodysMiddle() throws {
    let harness = try allowed()
    harness.delegate.header = nil
    let client = try subscribeWithoutControl(harness)
    harness.delegate.header = RawHeader()
    publish(samples(0..<1), harness)
    #expect(try messages(client).first == .header(RawHeader()))
  }

  @Test func aHeaderAndThenBatches() throws {
    let harness = try allowed()
    let client = try subscribe(harness, #"{"recenter":true}"#)
    #expect(harness.delegate.log == ["restart", "recenter"])
    #expect(harness.server.audience.subscribers == 1)
    #expect(try messages(client) == [.header(RawHeader())])
    publish(samples(0..<3), harness)
    let scans = (0..<3).map { RawScan(timestampNanoseconds: Int64($0), x: Double($0), y: 0, z: -1) }
    #expect(try messages(client) == [.batch(scans, dropped: 0)])
    client.hangUp()
    try harness.turn()
    #expect(harness.server.audience.subscribers == 0)
  }

  @Test func theHeaderWaitsForTheSensor() throws {
    let harness = try allowed()
    harness.delegate.header = nil
    let client = try subscribe(harness)
    #expect(client.receive().isEmpty)
    var header = RawHeader()
    header.name = "bmi160"
    harness.delegate.header = header
    publish(samples(0..<1), harness)
    let received = try messages(client)
    #expect(received.count == 2 && received.first == .header(header))
  }

  @Test func anotherStreamBeginsThisOneAnew() throws {
    let harness = try allowed()
    let first = try subscribe(harness)
    _ = try messages(first)
    let second = try subscribe(harness)
    #expect(try messages(second) == [.header(RawHeader())])
    publish(samples(0..<1), harness)
    var again = RawHeader()
    again.restart = true
    #expect(try messages(first).first == .header(again))
  }

  @Test func aRightThatIsGoneEndsIt() throws {
    let harness = try allowed()
    let client = try subscribe(harness)
    harness.server.apply(limits: ServerLimits(), access: AccessPolicy())
    try harness.turn()
    #expect(harness.server.audience.subscribers == 1, "who may control has it by that right")
    try withoutControl { harness.server.apply(limits: ServerLimits(), access: AccessPolicy()) }
    try harness.turn()
    #expect(client.receive().last?.contains("PermissionDenied") == true)
    #expect(harness.server.audience.subscribers == 0)
  }

  /// One that is stopped costs no encoding, however many scans come meanwhile, and goes on when it reads.
  @Test func aStoppedReaderCostsNoWork() throws {
    let harness = try allowed()
    let client = try subscribe(harness)
    var made: Int64 = 0
    func wakeUps(_ count: Int) {
      for _ in 0..<count {
        publish(samples(made..<made + 1), harness)
        made += 1
      }
    }
    // More than the socket and the memory beside it hold.
    wakeUps(RawStream.capacity + 2000)
    let before = harness.server.rawMessages.made
    wakeUps(5000)
    #expect(harness.server.rawMessages.made == before)
    // A new header is owed; it is not tried at each wake-up either.
    harness.server.rawStreamDidRestart()
    harness.delegate.headersAsked = 0
    wakeUps(1000)
    #expect(harness.server.rawMessages.made == before && harness.delegate.headersAsked == 0)
    var again: [RawMessage] = []
    for _ in 0..<100 {
      again += try messages(client)
      try harness.turn()
    }
    let restart = again.lastIndex { if case .header(let header) = $0 { header.restart } else { false } }
    let rest = try #require(restart.map { again[($0 + 1)...] })
    var scans: [RawScan] = []
    for case .batch(let some, _) in rest { scans += some }
    #expect(scans.count == 1000 && scans.last?.timestampNanoseconds == made - 1)
  }

  /// One that is stopped delays nobody, and learns what it has missed.
  @Test func aStoppedReader() throws {
    let harness = try allowed()
    let client = try subscribe(harness)
    var made: Int64 = 0
    for _ in 0..<5000 {
      publish(samples(made..<made + 10), harness)
      made += 10
    }
    try harness.turn()
    #expect(try !harness.loop.turn(), "it costs no turns meanwhile")
    var received: [Int64] = []
    var lost: Int64 = 0
    func read() throws {
      var idle = 0
      while idle < 3 {
        let some = try messages(client)
        idle = some.isEmpty ? idle + 1 : 0
        for case .batch(let scans, let dropped) in some {
          if dropped == 0, let last = received.last { #expect(scans.first?.timestampNanoseconds == last + 1) }
          lost += dropped
          received += scans.map(\.timestampNanoseconds)
        }
        try harness.turn()
      }
    }
    try read()
    #expect(lost == 0 && received == Array(0..<Int64(received.count)), "what was kept first, without a hole")
    #expect(received.count >= RawStream.capacity - 10)
    publish(samples(made..<made + 10), harness)
    try read()
    #expect(lost > 0 && received.last == made + 9)
    #expect(Int64(received.count) + lost == made + 10)
  }
}
