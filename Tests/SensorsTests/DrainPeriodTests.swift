import Testing

@testable import Sensors

@Suite struct DrainPeriodTests {
  /// Milliseconds between two events, Hz, whether the device stamps; milliseconds of the timer.
  @Test(
    arguments: [
      (0, 100, true, 0), (199, 100, true, 0), (200, 100, true, 50), (1000, 100, true, 100),
      (60_000, 100, true, 100),
      (1000, 100, false, 0), (1000, nil, true, 100),
      // One scan or two in a period: nothing to save.
      (200, 30, true, 0), (1000, 19, true, 0), (1000, 20, true, 100), (1000, 1, true, 0),
      // More scans in a second than a buffer of the longest kind holds.
      (1000, 100_000, true, 32), (1000, 10_000, true, 100),
    ] as [(Int64, Double?, Bool, Int64)])
  func period(interval: Int64, frequency: Double?, stamps: Bool, period: Int64) {
    let drained = DrainPeriod.nanoseconds(
      interval: interval * 1_000_000, frequency: frequency, stampsAreMonotonic: stamps)
    #expect(drained / 1_000_000 == period)
  }

  /// Whatever the frequency, the kernel loses nothing.
  @Test func leavesRoom() {
    for frequency in stride(from: 0.5, through: 100_000, by: 37.3) {
      let drained = DrainPeriod.nanoseconds(
        interval: .max, frequency: frequency, stampsAreMonotonic: true)
      #expect(Double(drained) * frequency / 1e9 <= 0.5 * Double(Gyroscope.kernelScans(frequency)))
    }
  }
}
