import Scene
import TestSupport
import Testing

@testable import Settings

/// Scenes in TOML, and a folder of them.
@Suite struct SceneFileTests {
  private func read(_ text: String) throws(SettingsError) -> SceneDescription {
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBufferPointer { (bytes: UnsafeBufferPointer<UInt8>) throws(SettingsError) in
      try SceneFile.parse(UnsafeRawBufferPointer(bytes), fileName: "s.toml")
    }
  }

  @Test func `a scene is read in every way that TOML has of writing one`() throws {
    let inline = try read(
      """
      bounds = [390, 844]
      background = { width = 450, height = 900.5 }
      layers = [{}, { depth = 1.5 }, {}]
      front = {}
      distance_factor = 3
      effects = [
        { key_path = "a", axis = "horizontal", minimum = -1, maximum = 1 },
        { effects = [{ key_path = "b.c", axis = "vertical", minimum = 0, maximum = 2.5 }] },
      ]
      """)
    let tables = try read(
      """
      distance_factor = 3.0
      bounds.width = 390
      bounds.height = 844
      [background]
      height = 900.5
      width = 450
      [[layers]]
      [[layers]]
      depth = 1.5
      [[layers]]
      [front]
      [[effects]]
      key_path = "a"
      axis = "horizontal"
      minimum = -1
      maximum = 1
      [[effects]]
      [[effects.effects]]
      key_path = "b.c"
      axis = "vertical"
      minimum = 0
      maximum = 2.5
      """)
    #expect(inline == tables)
    #expect(inline.depths == [nil, 1.5, nil])
    #expect(inline.effects.map(\.keyPath) == ["a", "b.c"])
    #expect(inline.hasFront && inline.background == .init(width: 450, height: 900.5))
    #expect(try read("layers = []\n") == SceneDescription())
  }

  @Test(arguments: [
    ("bounds = 3\n", "s.toml:1:10: bounds is 3; allowed: {width, height}, or [width, height]"),
    ("\nbounds = { width = 3 }\n", "s.toml:2:1: bounds.height is missing"),
    (
      "layers = [{}, { depth = -1 }]\n",
      "s.toml:1:25: layers[1].depth is -1; allowed: a number from 0.001 to 1000000"
    ),
    ("[[layers]]\n[[layers]]\ndepth = 0\n", "s.toml:3:9: layers[1].depth is 0; allowed: a number from"),
    ("[scene]\n", "s.toml:1:1: scene is unknown; allowed here: bounds, background"),
    ("\"a b\" = 3\n", "s.toml:1:1: \"a b\" is nothing that a scene has"),
    ("layers = 2026-01-01\n", "s.toml:1:10: layers is nothing that a scene has; allowed: an array"),
    ("front = 2026-01-01\n", "s.toml:1:9: front is nothing that a scene has; allowed: true, false or {}"),
    ("layers = [1, \"x\"]\n", "s.toml:1:11: layers[0] is 1; allowed: an object"),
    ("bounds = [1, inf]\n", "s.toml:1:1: bounds[1] is inf; allowed: a number from"),
    ("background = [3, 3]\n", "s.toml: bounds is missing: needed where there is a background"),
    (
      "bounds = [3, 3]\nbackground = [2, 3]\n",
      "s.toml:2:1: background.width is 2; allowed: not below that of the bounds, 3"
    ),
    ("bounds = \n", "s.toml:1:10: not TOML: "),
  ])
  func `what is wrong is said with its place`(text: String, beginning: String) {
    do {
      let scene = try read(text)
      Issue.record("read as \(scene)")
    } catch {
      #expect(error.description.hasPrefix(beginning), "\(error)")
    }
  }

  @Test func `mutated bytes are a scene or an error`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SplitMix64(seed: seed)
    let whole = Array(
      """
      bounds = [390, 844]
      background.width = 400
      background.height = 900
      layers = [{}, { depth = 1.5 }]
      [[effects]]
      effects = [{ key_path = "b.c", axis = "vertical", minimum = 0, maximum = 2.5 }]
      """.utf8)
    let pieces = Array("{}[]\",=.0123456789einfax\n# ".utf8)
    var sound = 0
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = pieces.randomElement(using: &random) ?? 0
        case 1: bytes.remove(at: place)
        default: bytes.insert(pieces.randomElement(using: &random) ?? 0, at: place)
        }
      }
      do throws(SettingsError) {
        _ = try read(String(decoding: bytes, as: UTF8.self))
        sound += 1
      } catch {
        #expect(!error.description.contains("\n"))
      }
    }
    #expect(sound > 0)
  }
}
