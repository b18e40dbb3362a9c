import Motion
import Scene
import TestSupport
import Testing
import Wire

@testable import SceneWire

extension SceneDescription {
  fileprivate init(depths: [Double?]) {
    self.init()
    self.depths = depths
  }
}

/// Scenes as JSON: in, out, and what hostile bytes do.
@Suite struct SceneWireTests {
  private func json(_ text: String) throws -> SceneDescription {
    try Array(text.utf8).withUnsafeBytes { try SceneDescription(json: $0) }
  }

  static let whole = """
    {"bounds":[390,844],"background":{"width":450,"height":900},"layers":[{},{"depth":1.5},{}],"front":{},\
    "distance_factor":3,"front_factor":10,"effects":[{"key_path":"center.x","axis":"horizontal","minimum":-8,\
    "maximum":8},{"effects":[{"key_path":"a \\"b\\"","axis":"vertical","minimum":0,"maximum":1}]}]}
    """

  @Test func aSceneIsReadAndWrittenAnew() throws {
    let description = try json(Self.whole)
    #expect(description.depths == [nil, 1.5, nil])
    #expect(description.effects.map(\.keyPath) == ["center.x", #"a "b""#])
    #expect(try json(String(decoding: description.json, as: UTF8.self)) == description)
  }

  @Test func numbersAreWrittenInThePlacesThatTheSceneHas() throws {
    let description = try json(Self.whole)
    let frame = SceneFrame(
      description, offset: Offset(x: 30, y: 45), tilt: Tilt(x: 0.5, y: 1), reducedTo: nil)
    var buffer = JSONBuffer()
    SceneText(description).write(frame, to: &buffer)
    #expect(
      String(decoding: buffer.bytes, as: UTF8.self)
        == #"{"background":{"x":2,"y":-3},"layers":[{"x":2.5,"y":-3.75},{"x":6.666666666666667,"y":-10},"#
        + #"{"x":5,"y":-7.5}],"front":{"x":-3,"y":4.5},"values":{"center.x":4,"a \"b\"":1}}"#)
    buffer = JSONBuffer()
    let nothing = try json("{}")
    SceneText(nothing).write(
      SceneFrame(nothing, offset: .neutral, tilt: .neutral, reducedTo: nil), to: &buffer)
    #expect(String(decoding: buffer.bytes, as: UTF8.self) == "{}")
  }

  @Test func noReplyIsLongerThanWhatIsKeptForIt() throws {
    let effects = (0..<64).map {
      #"{"key_path":"\#(String(repeating: "\\\"", count: 100))\#($0)","axis":"vertical","#
        + #""minimum":-999999999.123456,"maximum":1.2345e-9}"#
    }
    let layers = Array(repeating: #"{"depth":0.0012345678901234}"#, count: 64).joined(separator: ",")
    let description = try json(
      #"{"bounds":[1,1],"background":[1e6,1e6],"layers":[\#(layers)],"front":true,"effects":[\#(effects.joined(separator: ","))]}"#
    )
    var buffer = JSONBuffer()
    let text = SceneText(description)
    text.write(
      SceneFrame(
        description, offset: Offset(x: -1.2345678901234567e-200, y: 1.2345678901234567e-200),
        tilt: Tilt(x: 0.1, y: 0.12345678901234567), reducedTo: 0.12345678901234567), to: &buffer)
    #expect(text.bytes.contains(buffer.bytes.count))
    #expect(buffer.bytes.last == UInt8(ascii: "}"), "nothing was left out")
  }

  @Test(arguments: [
    (#"{"name":"launcher"}"#, SceneChoice.named("launcher")),
    (#"{"layers":[{}],"name":null}"#, .own(SceneDescription(depths: [nil]))),
    ("{}", .own(SceneDescription())),
  ])
  func aNameAsksForOneOfTheDaemons(_ text: String, _ choice: SceneChoice) throws {
    #expect(try SceneChoice(value(text)) == choice)
  }

  @Test(arguments: [
    (#"{"name":3}"#, "scene.name"), (#"{"name":""}"#, "scene.name"), (#"{"name":"../etc"}"#, "scene.name"),
    (#"{"name":"a","layers":[]}"#, "scene.layers"), ("[]", "scene"), ("3", "scene"),
    (#""launcher""#, "scene"),
    (#"{"distance_factor":1e999}"#, "scene.distance_factor"),
  ])
  func whatIsNoChoiceIsRefused(_ text: String, _ path: String) throws {
    let error = #expect(throws: SceneError.self) { try SceneChoice(value(text)) }
    #expect(error?.path == path)
  }

  @Test func aNameAloneIsToldHowToAsk() throws {
    let error = #expect(throws: SceneError.self) { try SceneChoice(value(#""launcher""#)) }
    #expect(
      error?.reason.hasPrefix(#"is "launcher"; allowed: an object: {"name": "launcher"} for a"#) == true)
  }

  /// All layers, and all effects in as many groups as there may be: a call may have so many values.
  @Test func theLargestSceneIsNoneTooLarge() throws {
    let layers = Array(repeating: #"{"depth":2}"#, count: SceneBounds.layers).joined(separator: ",")
    let effects = (0..<SceneBounds.effects).map { index in
      String(repeating: #"{"effects":["#, count: SceneBounds.groups)
        + #"{"key_path":"k\#(index)","axis":"vertical","minimum":0,"maximum":1}"#
        + String(repeating: "]}", count: SceneBounds.groups)
    }
    let text = """
      {"bounds":{"width":1,"height":1},"background":{"width":2,"height":2},"layers":[\(layers)],"front":{},\
      "distance_factor":2,"front_factor":20,"effects":[\(effects.joined(separator: ","))]}
      """
    guard case .own(let description) = try SceneChoice(value(text)) else {
      Issue.record("it is a scene of one's own")
      return
    }
    #expect(description.depths.count == SceneBounds.layers)
    #expect(description.effects.count == SceneBounds.effects)
    #expect(try json(text) == description)
  }

  /// The parameter of a call, as the daemon gets it.
  private func value(_ text: String) throws -> JSONValue {
    let message =
      #"{"method":"org.parallaxd.Motion.Subscribe","more":true,"parameters":{"scene":\#(text)}}"#
    let call = try Array(message.utf8).withUnsafeBytes { try Call(decoding: $0) }
    guard case .subscribe(let options) = try call.request.get() else {
      throw SceneError(path: "", reason: "")
    }
    return try #require(options.scene)
  }

  /// Bytes changed at random: a scene, or an error; and what is a scene stays one when written anew.
  @Test func mutatedBytesAreASceneOrAnError() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SplitMix64(seed: seed)
    let original = Array(Self.whole.utf8)
    let pieces = Array(#"{}[]":,0123456789eE+-.\null true"#.utf8)
    for _ in 0..<4000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0..<128, using: &random)
        case 1: bytes[place] = pieces.randomElement(using: &random) ?? 0
        case 2: bytes.remove(at: place)
        default: bytes.insert(pieces.randomElement(using: &random) ?? 0, at: place)
        }
      }
      do {
        let description = try json(String(decoding: bytes, as: UTF8.self))
        #expect(try json(String(decoding: description.json, as: UTF8.self)) == description)
      } catch let error as SceneError {
        #expect(error.path.hasPrefix("scene"))
      }
    }
  }
}
