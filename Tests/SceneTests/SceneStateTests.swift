import Motion
import Testing

@testable import Scene

/// e, and what it refuses.
@Suite struct SceneStateTests {
  /// The background's divisor is 2, so that e may come to ±20 on x and never moves on y.
  private func narrow() throws -> SceneState {
    SceneState(try scene(["bounds": size(100, 100), "background": size(120, 100)]))
  }

  private func step(_ x: Double, _ y: Double = 0, times: Int64 = 1) -> Movement {
    Movement(step: Offset(x: x, y: y), repetitions: times)
  }

  @Test func aStepBeyondTheBackgroundIsRefusedWholeAndLost() throws {
    var state = try narrow()
    state.apply(step(12))
    state.apply(step(12))
    #expect(state.offset.x == 12, "24/2 is more than 10")
    state.apply(step(8))
    #expect(state.offset.x == 20, "its edge is not beyond it")
    state.apply(step(-1))
    #expect(state.offset.x == 19, "the other way moves at once")
  }

  @Test func fiveHundredPointsIntoAnEdgeLeaveNothingToComeBackFrom() throws {
    var state = try narrow()
    state.apply(step(5, times: 100))
    #expect(state.offset.x == 20)
    state.pan(x: -500, y: 0, within: OffsetBound())
    #expect(state.offset.x == 20, "a pan is a step like others")
    state.recenter()
    #expect(state.offset == .neutral)
  }

  @Test func anAxisAsWideAsTheBoundsNeverMoves() throws {
    var state = try narrow()
    state.apply(step(0, 1e-9, times: 3))
    state.pan(x: 0, y: 3, within: OffsetBound())
    #expect(state.offset.y == 0)
  }

  @Test func anAxisIsRefusedForItselfAlone() throws {
    var state = SceneState(try scene(["bounds": size(100, 100), "background": size(120, 200)]))
    state.apply(step(30, 30))
    #expect(state.offset == Offset(x: 0, y: 30))
  }

  @Test func withoutABackgroundNothingStops() throws {
    var state = SceneState(try scene(["bounds": size(1, 1), "layers": layers(2)]))
    state.apply(step(1000, -1000, times: 5))
    #expect(state.offset == Offset(x: 5000, y: -5000))
  }

  @Test func itDecaysOnceAndThenSteps() throws {
    var state = SceneState(try scene([:]), offset: Offset(x: 8, y: -8))
    state.apply(Movement(kept: 0.5, step: Offset(x: 1, y: 0), repetitions: 2))
    #expect(state.offset == Offset(x: 6, y: -4))
  }

  @Test func theLimitIsThePipelinesOnItsOwnOffset() throws {
    var state = SceneState(try scene([:]))
    let bound = OffsetBound(limit: 10, mode: .elastic)
    state.apply(Movement(step: Offset(x: 5, y: 0), repetitions: 2, bound: bound))
    #expect(state.offset.x == 7.5, "5·(1 − 5/10) outward")
    state.pan(x: 100, y: 4, within: bound)
    #expect(state.offset == Offset(x: 10, y: -4))
    state.apply(Movement(repetitions: 1, bound: OffsetBound(limit: 3)))
    #expect(state.offset == Offset(x: 3, y: -3), "a limit drawn inside it takes it back")
  }
}
