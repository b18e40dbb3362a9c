import Testing

@testable import Sensors

@Suite struct DrainPlanTests {
  static let millisecond: Int64 = 1_000_000

  /// A plan after an update at 1000 ms.
  private func plan(patience: Int64) -> DrainPlan {
    var plan = DrainPlan()
    plan.patience = patience * Self.millisecond
    plan.updateWasMade(at: 1000 * Self.millisecond)
    return plan
  }

  private func rest(_ plan: DrainPlan, from now: Int64, spacing: Int64 = 5, capacity: Int = 256) -> Int64? {
    plan.rest(from: now * Self.millisecond, spacing: spacing * Self.millisecond, capacity: capacity)
      .map { $0 / Self.millisecond }
  }

  /// Patience, the time, spacing, all in milliseconds, and scans that the kernel holds; the rest in milliseconds.
  @Test(
    arguments: [
      // Everybody wants each scan, or nobody knows how often they come.
      (0, 1000, 5, 256, nil), (1000, 1000, 0, 256, nil),
      // Until the next event is due, but never more than a quarter of what the kernel holds.
      (100, 1000, 5, 256, 100), (100, 1030, 5, 256, 70), (1000, 1000, 5, 256, 320),
      (60_000, 1000, 5, 256, 320),
      // It is due: each scan wakes the loop.
      (100, 1100, 5, 256, nil), (100, 5000, 5, 256, nil),
      // The stamps lie ahead.
      (100, 0, 5, 256, 100), (100, -9_000_000_000_000, 5, 256, 100),
      // Less than four scans at a time: not worth it.
      (19, 1000, 5, 256, nil), (20, 1000, 5, 256, 20), (1000, 1000, 5, 12, nil), (100, 1081, 5, 256, nil),
    ] as [(Int64, Int64, Int64, Int, Int64?)])
  func restsUntilDue(patience: Int64, now: Int64, spacing: Int64, capacity: Int, expected: Int64?) {
    #expect(rest(plan(patience: patience), from: now, spacing: spacing, capacity: capacity) == expected)
  }

  @Test func aStreamBeginsAwake() {
    var plan = DrainPlan()
    plan.patience = 1000 * Self.millisecond
    #expect(rest(plan, from: 0) == nil)
  }

  /// Updates that nobody wants an event of change nothing; the first one after that does.
  @Test func followsTheEvents() {
    var plan = plan(patience: 100)
    for time in [1030, 1060, 1090] as [Int64] {
      plan.updateWasMade(at: time * Self.millisecond)
      #expect(rest(plan, from: 1050) == 50)
    }
    plan.updateWasMade(at: 1120 * Self.millisecond)
    #expect(rest(plan, from: 1125) == 95)
  }

  @Test func followsAClockThatIsSetBack() {
    var plan = plan(patience: 100)
    plan.updateWasMade(at: 10 * Self.millisecond)
    #expect(rest(plan, from: 10) == 100)
  }

  @Test func extremesDoNotOverflow() {
    var plan = DrainPlan()
    plan.patience = .max
    for stamp in [.min, .max, 0] as [Int64] {
      plan.updateWasMade(at: stamp)
      for now in [.min, .max, 0] as [Int64] {
        #expect(plan.rest(from: now, spacing: .max, capacity: .max) == nil)
        #expect(plan.rest(from: now, spacing: 1, capacity: -1) == nil)
        #expect(plan.rest(from: now, spacing: 1, capacity: 256) == nil)
      }
    }
  }
}
