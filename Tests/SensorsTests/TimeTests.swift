import Motion
import Settings
import Testing

@testable import Sensors

@Suite struct ClockMappingTests {
  /// The mapped stamps keep the device's distances and are never after the arrival.
  @Test func constantDelayOfDelivery() {
    var mapping = ClockMapping()
    let ahead: Int64 = 1_700_000_000_000_000_000
    for (n, delay) in [900_000, 300_000, 500_000, 100_000, 400_000].enumerated() {
      let taken = Int64(n) * 5_000_000
      mapping.observe(stamp: taken + ahead, arrival: taken + Int64(delay))
    }
    // The smallest delay is what remains as the error.
    #expect(mapping.monotonic(ahead) == 100_000)
    #expect(mapping.monotonic(ahead + 5_000_000) == 5_100_000)
  }

  @Test func clockSetBack() {
    var mapping = ClockMapping()
    mapping.observe(stamp: 100_000_000_000, arrival: 1000)
    // An hour back: the scan would seem an hour late.
    mapping.observe(stamp: 100_000_000_000 - 3_600_000_000_000, arrival: 5_000_000)
    #expect(mapping.monotonic(100_000_000_000 - 3_600_000_000_000) == 5_000_000)
  }

  /// One stamp from the far future does not keep the others in the past for ever.
  @Test func farFutureStamp() {
    var mapping = ClockMapping()
    mapping.observe(stamp: 1_000_000, arrival: 1_000_000)
    mapping.observe(stamp: 1 << 60, arrival: 6_000_000)
    mapping.observe(stamp: 11_000_000, arrival: 11_000_000)
    #expect(mapping.monotonic(16_000_000) == 16_000_000)
  }

  /// What cannot be a stamp is neither learned nor changed.
  @Test(arguments: [Int64.max, Int64.min, (1 << 62) + 1, -(1 << 62)] as [Int64])
  func impossibleStamps(stamp: Int64) {
    var mapping = ClockMapping()
    mapping.observe(stamp: 7, arrival: 10)
    mapping.observe(stamp: stamp, arrival: 11)
    #expect(mapping.monotonic(stamp) == stamp)
    #expect(mapping.monotonic(8) == 11)
  }

  @Test func nothingSeenYet() {
    #expect(ClockMapping().monotonic(42) == 42)
  }
}

@Suite struct ArrivalTimesTests {
  /// The spacings of wake-ups (count, arrival).
  private func spacings(nominal: Int64, _ wakeUps: [(Int, Int64)]) -> [Int64] {
    var times = ArrivalTimes(nominalSpacingNanoseconds: nominal)
    return wakeUps.map { count, arrival in times.spacing(count: count, arrival: arrival) }
  }

  /// Evenly between two wake-ups, and not spread over a pause.
  @Test func unknownFrequency() {
    let wakeUps: [(Int, Int64)] = [(1, 1_000_000_000), (2, 1_001_000_000), (4, 9_000_000_000)]
    #expect(spacings(nominal: 0, wakeUps) == [1_000_000, 500_000, 1_000_000])
  }

  @Test func notWiderThanTheFrequencySays() {
    let wakeUps: [(Int, Int64)] = [(3, 1_000_000_000), (3, 2_000_000_000), (5, 2_010_000_000)]
    #expect(spacings(nominal: 5_000_000, wakeUps) == [5_000_000, 5_000_000, 2_000_000])
  }
}

@Suite struct SettlingTests {
  /// Which of the scans (stamp, arrival) count.
  private func admitted(_ duration: Int64, _ scans: [(Int64, Int64)]) -> (counts: [Bool], dropped: Int) {
    var settling = Settling(durationNanoseconds: duration)
    let counts = scans.map { stamp, arrival in settling.admits(stamp: stamp, arrival: arrival) }
    return (counts, settling.dropped)
  }

  @Test func leavesOutTheFirstMoments() {
    let (counts, dropped) = admitted(100, [1000, 1050, 1099, 1100, 1101].map { ($0, $0) })
    #expect(counts == [false, false, false, true, true])
    #expect(dropped == 3)
  }

  @Test func nothingToLeaveOut() {
    let (counts, dropped) = admitted(0, [(5, 5), (6, 6)])
    #expect(counts == [true, true])
    #expect(dropped == 0)
  }

  /// A stamp that goes back, or is absurd, ends it; one that stands still does after a second.
  @Test func strangeStamps() {
    #expect(admitted(100, [(1000, 0), (10, 1), (11, 2)]).counts == [false, true, true])
    #expect(admitted(100, [(.min, 0), (.max, 1)]).counts == [false, true])
    #expect(
      admitted(100, [(7, 0), (7, 1_000_000_000), (7, 1_000_000_100)]).counts == [false, false, true])
  }
}

@Suite struct IIOConfigurationTests {
  struct Case {
    var interval: Int64
    var maxGap: Int64 = 250_000_000
    var frequency: Double?
    var asked: Double
    var period: Int64
  }

  @Test(arguments: [
    Case(interval: 30_000_000, asked: 2 / 0.03, period: 30_000_000),
    Case(interval: 30_000_000, frequency: 400, asked: 400, period: 30_000_000),
    Case(interval: 1_000_000_000, asked: 2, period: 125_000_000),
    Case(interval: 0, asked: 100, period: 10_000_000),
    Case(interval: 0, frequency: 200, asked: 200, period: 5_000_000),
  ])
  func frequencyAndPeriod(of one: Case) {
    var sensor = SensorSettings()
    sensor.samplingFrequency = one.frequency
    var motion = MotionSettings()
    motion.updateIntervalNanoseconds = one.interval
    motion.maxGapNanoseconds = one.maxGap
    let configuration = IIOConfiguration(sensor: sensor, motion: motion)
    #expect(abs(configuration.frequencyAsked - one.asked) < 1e-9)
    #expect(configuration.pollPeriodNanoseconds == one.period)
  }

  /// Another machine is waited for longer than libiio itself waits (5 s): it knows why nothing came.
  @Test(
    arguments: [
      (nil, 2, 5), ("local:", 2, 5), ("local:", 7, 7), ("ip:10.0.0.1", 2, 10), ("usb:", 12, 12),
    ] as [(String?, Int64, Int64)])
  func anOpeningIsSlow(uri: String?, readTimeout: Int64, limit: Int64) {
    var sensor = SensorSettings()
    sensor.uri = uri
    sensor.readTimeoutNanoseconds = readTimeout * 1_000_000_000
    let configuration = IIOConfiguration(sensor: sensor, motion: MotionSettings())
    #expect(configuration.openingLimitNanoseconds == limit * 1_000_000_000)
  }

  /// At least a quarter of a second, whatever the frequency, and never without bound.
  @Test(
    arguments: [(nil, 512), (10, 256), (256, 256), (1000, 256), (6400, 1600), (1e9, 8192)] as [(Double?, Int)]
  )
  func kernelHoldsAQuarterSecond(frequency: Double?, scans: Int) {
    #expect(Gyroscope.kernelScans(frequency) == scans)
  }
}

@Suite struct BackoffTests {
  @Test func doublesToAMinute() {
    var backoff = Backoff()
    let seconds = (0..<8).map { _ in backoff.delay() / 1_000_000_000 }
    #expect(seconds == [1, 2, 4, 8, 16, 32, 60, 60])
    backoff.reset()
    let afterSuccess = backoff.delay()
    #expect(afterSuccess == 1_000_000_000)
  }
}
