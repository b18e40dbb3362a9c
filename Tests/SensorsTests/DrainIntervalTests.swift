import Testing

@testable import Sensors

@Suite struct DrainIntervalTests {
  static let millisecond: Int64 = 1_000_000

  /// Patience and spacing in milliseconds, scans that the kernel holds; the interval in milliseconds.
  @Test(
    arguments: [
      // Everybody wants each scan, or nobody knows how often they come.
      (0, 5, 256, nil), (1000, 0, 256, nil),
      // As long as everybody can wait, but never more than a quarter of what the kernel holds.
      (100, 5, 256, 100), (1000, 5, 256, 320), (60_000, 5, 256, 320),
      // Less than four scans at a time: not worth it.
      (19, 5, 256, nil), (20, 5, 256, 20), (1000, 5, 12, nil),
    ] as [(Int64, Int64, Int, Int64?)])
  func interval(patience: Int64, spacing: Int64, capacity: Int, expected: Int64?) {
    let interval = DrainInterval.nanoseconds(
      patience: patience * Self.millisecond, spacing: spacing * Self.millisecond, capacity: capacity)
    #expect(interval == expected.map { $0 * Self.millisecond })
  }

  @Test func extremesDoNotOverflow() {
    #expect(DrainInterval.nanoseconds(patience: .max, spacing: .max, capacity: .max) == nil)
    #expect(DrainInterval.nanoseconds(patience: .max, spacing: 1, capacity: -1) == nil)
    #expect(DrainInterval.nanoseconds(patience: .max, spacing: 1, capacity: 256) == nil)
  }
}
