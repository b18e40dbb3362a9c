import Motion
import Testing

@testable import Scene

/// Where the parts of a scene belong, and what its key paths are.
@Suite struct SceneFrameTests {
  @Test(arguments: [
    // layers, front, d, divisors: background, each layer, front
    (3, true, 2.0, 10.0, [8.0, 6, 4]),
    (3, false, 2, 8, [6, 4, 2]),
    (0, false, 2, 2, []),
    (0, true, 5, 10, []),
    (1, true, 0.5, 1.5, [1]),
  ])
  func theDivisorsAreDVParallaxViews(
    _ count: Int, _ hasFront: Bool, _ factor: Double, _ background: Double, _ each: [Double]
  ) throws {
    let description = try scene([
      "layers": layers(count), "front": .boolean(hasFront), "distance_factor": .number(factor),
      "front_factor": .number(7),
    ])
    #expect(description.backgroundDivisor == background)
    #expect((0..<count).map { description.divisor(ofLayer: $0) } == each)
    #expect(description.frontDivisor == -7)
  }

  @Test func aLayersOwnDepthCountsForItAlone() throws {
    let description = try scene([
      "layers": .list([.object([:]), .object(["depth": .number(1.5)]), .object([:])]), "front": .object([:]),
      "distance_factor": .number(3),
    ])
    #expect((0..<3).map { description.divisor(ofLayer: $0) } == [12, 4.5, 6])
    #expect(description.backgroundDivisor == 15)
  }

  @Test func positionsAreInPointsDownward() throws {
    let description = try scene([
      "bounds": size(100, 100), "background": size(200, 200), "layers": layers(1), "front": .boolean(true),
    ])
    let there = frame(description, x: 12, y: 30)
    #expect(there.background == .init(x: 2, y: -5))
    #expect(there.layer(0) == .init(x: 3, y: -7.5))
    #expect(there.front == .init(x: -0.6, y: 1.5))
  }

  @Test func neutralIsNoNegativeZero() throws {
    let there = frame(try scene(["layers": layers(1), "front": .boolean(true)]))
    for position in [there.layer(0), try #require(there.front)] {
      #expect(position.x.sign == .plus && position.y.sign == .plus)
    }
  }

  @Test func theEndOfTheNumbersStaysFinite() throws {
    let description = try scene(["layers": layers(1), "distance_factor": .number(0.001)])
    let most = Double.greatestFiniteMagnitude
    #expect(frame(description, x: most, y: most).layer(0) == .init(x: most, y: -most))
    #expect(frame(description, x: most, reducedTo: 0.5).layer(0).x == most / 2)
  }

  @Test func onlyWhatTheSceneHasIsThere() throws {
    let there = frame(try scene([:]))
    #expect(there.background == nil && there.front == nil && there.layerCount == 0 && there.valueCount == 0)
  }

  @Test func effectsInterpolateAndAddUp() throws {
    let description = try scene([
      "effects": .list([
        effect("center.x", "horizontal", -10, 30),
        .object([
          "effects": .list([effect("shadow", "vertical", 4, 0), effect("center.x", "vertical", -2, 2)])
        ]),
      ])
    ])
    let there = frame(description, tilt: Tilt(x: 0.5, y: -1))
    #expect((0..<there.valueCount).map(there.keyPath) == ["center.x", "shadow"])
    #expect([there.value(0), there.value(1)] == [18.0, 4.0], "10 + 0.5·20, less 2; and 2 + −1·−2")
    #expect(frame(description).value(0) == 10)
  }

  /// As text they are equal.
  @Test func keyPathsAreOneOnlyWhereTheirBytesAre() throws {
    let description = try scene([
      "effects": .list([effect("\u{e9}", "horizontal", 0, 2), effect("e\u{301}", "horizontal", 0, 6)])
    ])
    let there = frame(description)
    #expect(
      (0..<there.valueCount).map { Array(there.keyPath($0).utf8) } == [[0xc3, 0xa9], [0x65, 0xcc, 0x81]])
    #expect((0..<there.valueCount).map(there.value) == [1, 3])
  }

  @Test func reducedMotionGoesTowardsNeutral() throws {
    let description = try scene(["layers": layers(1), "effects": .list([effect("a", "horizontal", 0, 20)])])
    let tilt = Tilt(x: 1, y: 0)
    let half = frame(description, x: 8, y: 4, tilt: tilt, reducedTo: 0.5)
    #expect(half.layer(0) == .init(x: 2, y: -1))
    #expect(half.value(0) == 15)
    let none = frame(description, x: 8, y: 4, tilt: tilt, reducedTo: 0)
    #expect(none.layer(0) == .init(x: 0, y: 0))
    #expect(none.value(0) == 10)
  }
}
