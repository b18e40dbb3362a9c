import Testing

@testable import Sensors

@Suite struct StampCheckTests {
  /// Feeds a scan every 10 ms for ten seconds; when the stamps are found to be wrong, in seconds.
  private func found(_ stamp: (_ scan: Int64) -> Int64) -> Double? {
    var check = StampCheck()
    for scan in Int64(0)..<1000
    where check.observe(newest: stamp(scan), count: 1, arrival: 5_000_000_000 + scan * 10_000_000) {
      return Double(scan) / 100
    }
    return nil
  }

  @Test func stampsThatAreNone() {
    #expect(found { _ in 0 } == 2)
    #expect(found { _ in .max } == 2)
    #expect(found { _ in 1 << 62 } == 2)
    // A counter, milliseconds, and something that is far too fast.
    #expect(found { $0 } == 2)
    #expect(found { $0 * 10 } == 2)
    #expect(found { $0 * 10_000_000_000 } == 2)
    // Backwards, and over the end of the numbers.
    #expect(found { -$0 * 10_000_000 } == 2)
    #expect(found { $0 % 2 == 0 ? .min : .max } == 2)
  }

  @Test func stampsToGoBy() {
    #expect(found { $0 * 10_000_000 } == nil)
    // Another clock, and one that is three times too slow or too fast.
    #expect(found { 1_700_000_000_000_000_000 + $0 * 10_000_000 } == nil)
    #expect(found { $0 * 3_000_000 } == nil)
    #expect(found { $0 * 30_000_000 } == nil)
    // Set back once, by an hour.
    #expect(found { ($0 < 500 ? 3600_000_000_000 : 0) + $0 * 10_000_000 } == nil)
  }

  @Test func aLoopThatWasAwayForAMinute() {
    var check = StampCheck()
    for scan in Int64(0)..<400 {
      let pause: Int64 = scan < 200 ? 0 : 60_000_000_000
      // The scans of the pause were lost; their stamps go on where they were read.
      let stamp = scan * 10_000_000
      let isWrong = check.observe(newest: stamp, count: 1, arrival: stamp + pause)
      #expect(!isWrong)
    }
  }
}
