import Motion
import Scene
import Testing

@testable import Server
@testable import Wire

/// Streams with a scene: what of it is the server's part.
@Suite struct SceneStreamTests {
  private static let straight = #""scene":{"layers":[{"depth":1}],"distance_factor":1}"#

  private func subscribe(_ harness: Harness, _ parameters: String) throws -> TestClient {
    let client = try harness.connect()
    let replies = try harness.call(client, "Subscribe", "{\(parameters)}", #""more":true"#)
    #expect(replies.count == 1 && replies[0].contains(#""scene":"#), "\(replies)")
    return client
  }

  private func scene(of message: String?) -> String? {
    message.flatMap { text in
      text.firstRange(of: #""scene":"#).map { String(text[$0.upperBound...].prefix { $0 != "]" }) }
    }
  }

  private func right(_ points: Double, times: Int64 = 1) -> Movement {
    Movement(step: Offset(x: points, y: 0), repetitions: times)
  }

  @Test func everyUpdateCountsAlsoThoseThatNobodyIsSent() throws {
    let harness = try Harness()
    let often = try subscribe(harness, Self.straight)
    let seldom = try subscribe(harness, #""min_interval":10,"# + Self.straight)
    for sequence in 0..<5 as Range<Int64> {
      harness.server.moveScenes(by: right(1))
      harness.server.moveScenes(by: right(2))
      var event = event(sequence)
      event.state = .running
      event.timestampNanoseconds = sequence == 4 ? 20_000_000_000 : sequence
      harness.server.publish(event)
    }
    #expect(often.receive().map { scene(of: $0) }.last == #"{"layers":[{"x":15,"y":0}"#)
    // The first because the state has changed, the last because so much time has passed.
    #expect(
      seldom.receive().map { scene(of: $0) } == [#"{"layers":[{"x":3,"y":0}"#, #"{"layers":[{"x":15,"y":0}"#])
  }

  @Test func aSceneThatMovesIsAChangeThoughTheOffsetIsNot() throws {
    let harness = try Harness()
    let client = try subscribe(harness, Self.straight)
    for _ in 0..<2 {
      harness.server.moveScenes(by: right(1))
      harness.server.publish(MotionEvent())
      harness.server.publish(MotionEvent())
    }
    #expect(
      client.receive().map { scene(of: $0) } == [#"{"layers":[{"x":1,"y":0}"#, #"{"layers":[{"x":2,"y":0}"#])
  }

  @Test func tiltIsAChangeOnlyForEffects() throws {
    let harness = try Harness()
    let layers = try subscribe(harness, Self.straight)
    let effects = try subscribe(
      harness, #""scene":{"effects":[{"key_path":"a","axis":"vertical","minimum":0,"maximum":8}]}"#)
    harness.delegate.presentTilt = Tilt(x: 0, y: 0.5)
    harness.server.publish(MotionEvent())
    #expect(layers.receive().isEmpty)
    let messages = effects.receive()
    #expect(messages.count == 1 && messages[0].contains(#""scene":{"values":{"a":6}}"#), "\(messages)")
  }

  @Test func theyTurnWithTheSubscribersScreen() throws {
    let harness = try Harness()
    let client = try subscribe(harness, #""screen_rotation":90,"# + Self.straight)
    harness.server.moveScenes(by: right(3))
    harness.server.panScenes(x: 0, y: 2, within: OffsetBound())
    harness.server.publish(event(1))
    // (3, −2) is (2, 3) for a picture that is turned, and y is down.
    #expect(scene(of: client.receive().last) == #"{"layers":[{"x":2,"y":-3}"#)
  }

  @Test func eachIsOnItsOwnAndNobodyIsLeft() throws {
    let harness = try Harness()
    #expect(!harness.server.hasScenes)
    let clients = try (0..<3).map { _ in try subscribe(harness, Self.straight) }
    let plain = try harness.connect()
    _ = try harness.call(plain, "Subscribe", "{}", #""more":true"#)
    #expect(harness.server.groups.count == 4)
    #expect(harness.server.groups[0].isSingle == false, "who has no scene waits for none of them")
    #expect(harness.server.hasScenes && harness.server.audience.subscribers == 4)
    for client in clients { client.hangUp() }
    try harness.turn()
    #expect(!harness.server.hasScenes && harness.server.groups.count == 1)
    #expect(harness.server.audience.tilts == 0)
    harness.server.moveScenes(by: right(1))
    harness.server.publish(event(2))
    #expect(plain.receive().count(where: { $0.contains("scene") }) == 0)
  }

  @Test func whatIsHeldHasTheNewestScene() throws {
    let harness = try Harness()
    let client = try subscribe(harness, #""backlog":1,"# + Self.straight)
    for sequence in 1...50 as ClosedRange<Int64> {
      harness.server.moveScenes(by: right(1))
      harness.server.publish(event(sequence))
    }
    var last: String?
    while let message = client.receive().last {
      last = message
      try harness.turn()
    }
    #expect(scene(of: last) == #"{"layers":[{"x":50,"y":0}"#)
  }

  /// Nobody who does not read has more written for it than this; the rest costs nothing but the scene's own offset.
  @Test func longEventsTakeNoMoreMemoryThanShortOnes() throws {
    let harness = try Harness()
    let layers = Array(repeating: "{}", count: 64).joined(separator: ",")
    let client = try subscribe(harness, #""backlog":1024,"scene":{"layers":[\#(layers)]}"#)
    let session = try #require(harness.server.groups.first?.sessions.first)
    for sequence in 1...3000 as ClosedRange<Int64> {
      harness.server.moveScenes(by: right(0.123456789))
      harness.server.publish(event(sequence))
    }
    let unread = SendBuffer.unread(session.descriptor)
    #expect(unread < SendBuffer.mostShortEvents * SendBuffer.chargePerEvent * 5 / 4, "\(unread)")
    #expect(session.subscription?.held?.sequence == 3000)
    #expect(client.receive().count >= 8)
  }

  @Test func aSceneByNameIsTheDaemons() throws {
    let harness = try Harness()
    var description = SceneDescription()
    description.hasFront = true
    harness.server.namedScenes = ["one": description]
    _ = try subscribe(harness, #""scene":{"name":"one"}"#)
    let client = try harness.connect()
    let replies = try harness.call(client, "Subscribe", #"{"scene":{"name":"two"}}"#, #""more":true"#)
    let refused = #"InvalidScene","parameters":{"path":"scene.name","reason":"is \"two\"; allowed: one"}"#
    #expect(replies.first?.contains(refused) == true)
    harness.server.namedScenes = [:]
    harness.server.sceneFolder = "/some/scenes"
    let none = try harness.call(client, "Subscribe", #"{"scene":{"name":"two"}}"#, #""more":true"#)
    #expect(
      none.first?.contains("/some/scenes/NAME.toml") == true && none.first?.contains("--scene FILE") == true)
  }
}
