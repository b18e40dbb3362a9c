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

  /// Two minutes: more than a hundred windows.
  @Test(arguments: [Int64(60_000_000_000), 130_000_000_000])
  func aLoopThatWasAway(_ away: Int64) {
    var check = StampCheck()
    for scan in Int64(0)..<400 {
      let pause: Int64 = scan < 200 ? 0 : away
      // The scans of the pause were lost; their stamps go on where they were read.
      let stamp = scan * 10_000_000
      let isWrong = check.observe(newest: stamp, count: 1, arrival: stamp + pause)
      #expect(!isWrong)
    }
  }

  @Test func aLoopThatFindsOldScansFirst() {
    var check = StampCheck()
    let away: Int64 = 130_000_000_000
    for scan in Int64(0)..<1500 {
      // From 200 to 450 the kernel held them; what came after that was lost, until it was read again.
      let stamp = scan * 10_000_000 + (scan < 450 ? 0 : away)
      let arrival = scan < 200 ? stamp : max(stamp, 2_000_000_000 + away + (scan - 200) * 10_000_000)
      let isWrong = check.observe(newest: stamp, count: 1, arrival: arrival)
      #expect(!isWrong, "scan \(scan)")
    }
  }
}
