import Linux
import Motion
import Scene
import Testing

@testable import parallaxctl

/// What a background needs beyond its bounds.
struct MarginTests {
  private func margins(
    _ layers: Int, front: Bool = false, factor: Double = 2, swing: Double = 20,
    _ change: (inout MotionSettings) -> Void = { _ in }
  ) throws -> Margins {
    var scene = SceneDescription()
    scene.depths = Array(repeating: nil, count: layers)
    scene.hasFront = front
    scene.distanceFactor = factor
    var settings = MotionSettings()
    change(&settings)
    return try Margins(scene, settings, swing: swing)
  }

  private static let degree = Double.pi / 180

  @Test(arguments: [(0, false, 2.0, 2.0), (3, false, 2, 8), (3, true, 2, 10), (64, true, 0.5, 33)])
  func theLimitDividedByTheBackgroundsDivisor(
    _ layers: Int, _ front: Bool, _ factor: Double, _ divisor: Double
  )
    throws
  {
    let found = try margins(layers, front: front, factor: factor) { $0.limit = 120 }
    #expect(found.x.reach == 120 && found.x.margin == 120 / divisor)
    #expect(found.y == found.x)
  }

  @Test func withoutALimitTheRuleIsAppliedToTheSwing() throws {
    let found = try margins(1, swing: 30) { $0.gainY = 3 }
    #expect(abs(found.x.reach - 2.5 * 30 * Self.degree / 0.03) < 1e-9)
    #expect(abs(found.x.margin - found.x.reach / 4) < 1e-12)
    #expect(abs(found.y.reach - 3 * found.x.reach) < 1e-9)
  }

  @Test func anAngleKnowsNoInterval() throws {
    let found = try margins(0) {
      $0.integration = .angle
      $0.multiplier = 100
      $0.updateIntervalNanoseconds = 0
    }
    #expect(abs(found.x.reach - 100 * 20 * Self.degree) < 1e-9)
  }

  @Test func everySampleAnUpdateNeedsALimit() throws {
    let error = #expect(throws: UsageError.self) { try margins(0) { $0.updateIntervalNanoseconds = 0 } }
    #expect(error?.description.contains("--limit") == true)
    _ = try margins(0) {
      $0.updateIntervalNanoseconds = 0
      $0.limit = 3
    }
  }

  @Test func theVerdictIsOnTheScenesOwnBackground() throws {
    var scene = SceneDescription()
    scene.bounds = .init(width: 100, height: 200)
    var settings = MotionSettings()
    settings.limit = 20
    #expect(try !Margins(scene, settings, swing: 1).text.contains("the scene's background"))
    scene.background = .init(width: 120, height: 220)
    let text = try Margins(scene, settings, swing: 1).text
    #expect(text.contains("background  120 x 220 points for bounds of 100 x 200"))
    #expect(text.contains("large enough"))
    scene.background?.width = 110
    #expect(try Margins(scene, settings, swing: 1).text.contains("lacks 5 on x to each side"))
  }

  /// What is printed, handed back as the scene's own background, is enough, for the daemon too.
  @Test(arguments: [
    (2, 100.0, 390.0, 844.0), (1, 0.0123, 0.001, 0.0033), (1, 0.007, 0.0011, 0.0017), (2, 100, 0.1, 0.3),
    (3, 7.77, 1234.567, 0.001), (0, 33.3, 390.1, 844.7),
    (6, 1e6, 1e5, 3),
    (5, 0.07, 10, 20), (63, 1e-3, 390, 844), (63, 1e-9, 390, 844), (1, 17.3, 999_999.1, 0.7),
  ])
  func whatIsPrintedIsEnough(_ layers: Int, _ limit: Double, _ width: Double, _ height: Double) throws {
    var scene = SceneDescription()
    scene.depths = Array(repeating: nil, count: layers)
    scene.bounds = .init(width: width, height: height)
    var settings = MotionSettings()
    settings.limit = limit
    let text = try Margins(scene, settings, swing: 1).text
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("background") })
    let words = line.split(separator: " ")
    scene.background = .init(
      width: try #require(Double(words[1])), height: try #require(Double(words[3])))
    #expect(try Margins(scene, settings, swing: 1).text.contains("large enough"), "\(text)")
    let most = try #require(scene.background)
    #expect(most.width <= width + 2 * limit / scene.backgroundDivisor + 0.0011, "and no more than that")
    var state = SceneState(scene)
    state.pan(x: limit, y: -limit, within: settings.offsetBound)
    #expect(state.offset == Offset(x: limit, y: limit), "the last step is not refused")
  }

  @Test(arguments: [
    (1e-9, "0.000000001"), (1e9, "1000000000"), (0.001, "0.001"), (1e6, "1000000"), (0.1, "0.1"),
    (360, "360"),
  ])
  func boundsAreWrittenAsPeopleDo(_ number: Double, _ text: String) {
    #expect(DecimalText.plain(number) == text)
  }
}
