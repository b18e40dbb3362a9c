import Testing

@testable import EventLoop

@Suite struct SleptTimeTests {
  /// What the three clocks said, and whether that is a suspend after `(1000, 5000, 1010)`.
  @Test(
    arguments: [
      (2000, 6005, 2010, false),
      // Held up between two of the readings for as long as one likes.
      (2000, 6005, 9_000_000, false), (2000, 9_006_005, 9_002_010, false),
      // Slept for 20, which is more than the readings are apart.
      (2000, 6030, 2010, true), (2000, 3_606_000, 2010, true),
      // Perhaps for 5: not beyond doubt.
      (2000, 6010, 2010, false),
    ] as [(Int64, Int64, Int64, Bool)])
  func longer(before: Int64, boot: Int64, after: Int64, hasSlept: Bool) {
    let earlier = SleptTime(monotonicBefore: 1000, boot: 5000, monotonicAfter: 1010)
    let later = SleptTime(monotonicBefore: before, boot: boot, monotonicAfter: after)
    #expect(later.isLonger(than: earlier) == hasSlept)
    #expect(!earlier.isLonger(than: later))
  }

  @Test func thisMachineIsAwake() {
    let earlier = SleptTime.now
    #expect(!earlier.isLonger(than: earlier))
  }
}
