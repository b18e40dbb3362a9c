import TestSupport
import Testing

@testable import Scene

/// What is refused of a scene, where, and why.
@Suite struct CheckTests {
  @Test(arguments: [
    (SceneValue.list([]), "scene", "is an array; allowed: an object"),
    (.object(["layrs": .null]), "scene.layrs", "is unknown; allowed here: bounds, background"),
    (.object(["bounds": .number(3)]), "scene.bounds", "is 3; allowed: {width, height}, or [width, height]"),
    (.object(["bounds": .list([.number(3)])]), "scene.bounds", "{width, height}"),
    (.object(["bounds": .list([.number(3), .null])]), "scene.bounds[1]", "is null; allowed: a number from"),
    (.object(["bounds": .object(["width": .number(3)])]), "scene.bounds.height", "is missing"),
    (.object(["bounds": size(0, 1)]), "scene.bounds.width", "is 0; allowed: a number from 0.001 to 1000000"),
    (.object(["bounds": size(1, .infinity)]), "scene.bounds.height", "a number from 0.001 to 1000000"),
    (.object(["bounds": .object(["depth": .number(3)])]), "scene.bounds.depth", "unknown"),
    (.object(["background": size(1, 1)]), "scene.bounds", "is missing: needed where there is a background"),
    (
      .object(["bounds": size(10, 10), "background": size(9.5, 10)]), "scene.background.width",
      "is 9.5; allowed: not below that of the bounds, 10"
    ),
    (.object(["bounds": size(10, 10), "background": size(10, 9)]), "scene.background.height", "not below"),
    (.object(["distance_factor": .number(0)]), "scene.distance_factor", "a number from 0.001"),
    (.object(["distance_factor": .number(-2)]), "scene.distance_factor", "a number from 0.001"),
    (.object(["distance_factor": .number(.nan)]), "scene.distance_factor", "a number from 0.001"),
    (.object(["front_factor": .number(0)]), "scene.front_factor", "a number from 0.001"),
    (.object(["front_factor": .text("2")]), "scene.front_factor", "is \"2\"; allowed: a number from 0.001"),
    (.object(["layers": .object([:])]), "scene.layers", "is an object; allowed: an array"),
    (.object(["layers": layers(65)]), "scene.layers", "has 65 layers; allowed: at most 64"),
    (.object(["layers": .list([.number(1)])]), "scene.layers[0]", "an object"),
    (.object(["layers": .list([.null])]), "scene.layers[0]", "an object"),
    (
      .object(["layers": .list([.object([:]), .object(["depth": .number(0)])])]), "scene.layers[1].depth",
      "a number from 0.001"
    ),
    (
      .object(["layers": .list([.object(["name": .text("sky")])])]), "scene.layers[0].name",
      "allowed here: depth"
    ),
    (.object(["front": .number(1)]), "scene.front", "is 1; allowed: true, false or {}"),
    (
      .object(["front": .object(["depth": .number(1)])]), "scene.front.depth",
      "unknown; allowed here: nothing"
    ),
    (.object(["effects": .object([:])]), "scene.effects", "an array"),
    (.object(["effects": .list([.text("a")])]), "scene.effects[0]", "is \"a\"; allowed: an object"),
    (.object(["effects": .list([.object([:])])]), "scene.effects[0].key_path", "is missing"),
    (
      .object(["effects": .list([effect("")])]), "scene.effects[0].key_path",
      "is \"\"; allowed: a string of 1 to 128 bytes"
    ),
    (
      .object(["effects": .list([effect("a\nb")])]), "scene.effects[0].key_path",
      "is a string of 3 bytes; allowed"
    ),
    (
      .object(["effects": .list([effect(String(repeating: "ä", count: 65))])]), "scene.effects[0].key_path",
      "is a string of 130 bytes; allowed: a string of 1 to 128 bytes"
    ),
    (
      .object(["effects": .list([effect("a", "depth")])]), "scene.effects[0].axis",
      "is \"depth\"; allowed: \"horizontal\", \"vertical\""
    ),
    (
      .object(["effects": .list([effect("a", "vertical", .infinity, 1)])]), "scene.effects[0].minimum",
      "a number from -1000000000 to 1000000000"
    ),
    (
      .object(["effects": .list([effect("a", "vertical", 0, 1e300)])]), "scene.effects[0].maximum", "a number"
    ),
    (
      .object(["effects": .list([effect("a"), .object(["effects": .list([effect("b", "")])])])]),
      "scene.effects[1].effects[0].axis", "is \"\"; allowed: \"horizontal\", \"vertical\""
    ),
    (
      .object(["effects": .list([.object(["effects": .list([]), "axis": .text("vertical")])])]),
      "scene.effects[0].axis", "allowed here: effects"
    ),
  ])
  func isRefused(_ value: SceneValue, _ path: String, _ reason: String) {
    let error = #expect(throws: SceneError.self) { try SceneDescription(checking: value) }
    #expect(error?.path == path)
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  @Test func sixtyFourEffectsOverAllGroupsAreTheMost() throws {
    let group: (Int) -> SceneValue = { .object(["effects": .list(Array(repeating: effect("a"), count: $0))]) }
    #expect(try scene(["effects": .list([group(32), group(32)])]).effects.count == 64)
    let error = #expect(throws: SceneError.self) { try scene(["effects": .list([group(60), group(5)])]) }
    #expect(error?.path == "scene.effects[1].effects[4]")
  }

  @Test func groupsAreFourDeepAtMost() throws {
    var inner = SceneValue.list([effect("a")])
    for _ in 0..<4 { inner = .list([.object(["effects": inner])]) }
    #expect(try scene(["effects": inner]).effects.count == 1)
    let error = #expect(throws: SceneError.self) {
      try scene(["effects": .list([.object(["effects": inner])])])
    }
    #expect(error?.reason == "is 5 groups deep; allowed: at most 4 inside one another")
  }

  @Test func nullIsAsGoodAsAbsent() throws {
    let names = ["bounds", "background", "layers", "front", "distance_factor", "front_factor", "effects"]
    #expect(
      try SceneDescription(checking: .object(Dictionary(uniqueKeysWithValues: names.map { ($0, .null) })))
        == SceneDescription())
  }

  /// By bytes: one character may have thousands.
  @Test(arguments: [String(repeating: "x", count: 9000), "a" + String(repeating: "\u{301}", count: 8000)])
  func aLongUnknownNameIsCutInTheError(_ name: String) {
    let error = #expect(throws: SceneError.self) { try scene([name: .null]) }
    let cut = error.map { $0.path.utf8.count - "scene.…".utf8.count } ?? 0
    #expect((60...64).contains(cut), "\(cut)")
  }

  /// Random trees of the words that scenes are made of: refused with a path, or sound in every number.
  @Test func anythingIsRefusedOrSound() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SplitMix64(seed: seed)
    var sound = 0
    for _ in 0..<3000 {
      let value = randomValue(&random, depth: 0)
      do throws(SceneError) {
        let description = try SceneDescription(checking: value)
        sound += 1
        let again = try SceneDescription(checking: description.value)
        #expect(again == description, "written anew it is the same scene")
        var state = SceneState(description)
        state.pan(x: 1e300, y: -1e308, within: .init())
        let there = SceneFrame(
          description, offset: state.offset, tilt: .init(x: 1, y: -1), reducedTo: 0.5)
        for index in 0..<there.layerCount { #expect(there.layer(index).x.isFinite) }
        for index in 0..<there.valueCount { #expect(there.value(index).isFinite) }
      } catch {
        #expect(error.path.hasPrefix("scene") && !error.reason.isEmpty)
      }
    }
    #expect(sound > 10, "some get through")
  }

  private func randomValue(_ random: inout SplitMix64, depth: Int) -> SceneValue {
    let words = [
      "bounds", "background", "layers", "front", "distance_factor", "front_factor", "effects", "key_path",
      "axis",
      "minimum", "maximum", "width", "height", "depth", "horizontal", "vertical", "",
    ]
    let numbers = [0, -0.0, 1, 2, 100, 1e-3, 1e6, 1e9, -1e9, 1e300, .infinity, .nan]
    switch depth > 4 ? Int.random(in: 0..<4, using: &random) : Int.random(in: 0..<10, using: &random) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &random))
    case 2: return .number(numbers.randomElement(using: &random) ?? 0)
    case 3: return .text(words.randomElement(using: &random) ?? "")
    case 4, 5:
      return .list(
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in randomValue(&random, depth: depth + 1) })
    default: return .object(randomMembers(&random, words, depth))
    }
  }

  /// Mostly of the kind that the word asks for.
  private func randomMembers(_ random: inout SplitMix64, _ words: [String], _ depth: Int) -> [String:
    SceneValue]
  {
    var members: [String: SceneValue] = [:]
    for _ in 0..<Int.random(in: 0..<4, using: &random) {
      let word = words[Int.random(in: 0..<(depth == 0 ? 7 : words.count), using: &random)]
      let isApt = Int.random(in: 0..<4, using: &random) > 0
      switch word {
      case "bounds" where isApt: members[word] = size(100, 50)
      case "background" where isApt: members[word] = .list([.number(100), .number(60)])
      case "layers" where isApt: members[word] = .list([.object([:]), .object(["depth": .number(2)])])
      case "front" where isApt: members[word] = .boolean(true)
      case "distance_factor" where isApt, "front_factor" where isApt: members[word] = .number(3)
      case "effects" where isApt: members[word] = .list([effect("a"), effect("b", "vertical")])
      default: members[word] = randomValue(&random, depth: depth + 1)
      }
    }
    return members
  }
}
