import Testing

@testable import Sensors

@Suite struct ObservedSpacingTests {
  @Test func theShortestThatWasKeptTo() {
    var spacing = ObservedSpacing()
    var stamp: Int64 = 0
    func feed(_ scans: Int, every period: Int64, heaps of: Int) {
      for _ in 0..<(scans / of) {
        stamp += period * Int64(of)
        spacing.observe(newest: stamp, count: of)
      }
    }
    feed(16, every: 5_000_000, heaps: 1)
    #expect(spacing.nanoseconds == nil)
    feed(16, every: 5_000_000, heaps: 1)
    #expect(spacing.nanoseconds == 5_000_000)
    feed(128, every: 1_000_000, heaps: 64)
    #expect(spacing.nanoseconds == 1_000_000)
    // Slower again, but it has shown what it can do.
    feed(64, every: 20_000_000, heaps: 4)
    #expect(spacing.nanoseconds == 1_000_000)
  }

  @Test func stampsThatSayNothing() {
    for step in [0, -1, Int64.max / 2] {
      var spacing = ObservedSpacing()
      var stamp: Int64 = 0
      for _ in 0..<100 {
        stamp &+= step
        spacing.observe(newest: stamp, count: 1)
      }
      #expect(step > 0 || spacing.nanoseconds == nil)
    }
  }
}
