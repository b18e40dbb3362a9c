import Motion
import TestSupport
import Testing

@testable import Sensors

@Suite struct MedianGuardTests {
  /// Stamps and raw x that come out for those that go in; y and z are −x and 5.
  private func guarded(_ scans: [(Int64, Double)]) -> [(Int64, Double)] {
    var median = MedianGuard(gapLimitNanoseconds: 100)
    return scans.compactMap { stamp, x in
      var sample = RawSample(timestampNanoseconds: stamp, raw: Vector3(x, -x, 5))
      guard median.passes(&sample) else { return nil }
      #expect(sample.raw.y == -sample.raw.x && sample.raw.z == 5)
      return (sample.timestampNanoseconds, sample.raw.x)
    }
  }

  private func expect(_ scans: [(Int64, Double)], give expected: [(Int64, Double)]) {
    let got = guarded(scans)
    #expect(got.map(\.0) == expected.map(\.0))
    #expect(got.map(\.1) == expected.map(\.1))
  }

  /// One scan later, each with its own time.
  @Test func aGlitchIsTakenOut() {
    expect(
      [(0, 1), (10, 2), (20, -124), (30, 4), (40, 5), (50, 6)],
      give: [(0, 1), (10, 1), (20, 2), (30, 4), (40, 5)])
  }

  @Test func twoScansAreNoGlitch() {
    expect(
      [(0, 1), (10, 1), (20, 9), (30, 9), (40, 1), (50, 1)],
      give: [(0, 1), (10, 1), (20, 9), (30, 9), (40, 1)])
  }

  /// The scans on either side of a pause, and of a stamp that goes back, stay as they are.
  @Test func aPauseEndsARow() {
    expect(
      [(0, 1), (10, 7), (500, 2), (510, 3), (505, 8), (520, 4)],
      give: [(0, 1), (10, 7), (500, 2), (510, 3), (505, 8)])
    expect([(.max, 1), (.min, 2), (.max, 3)], give: [(.max, 1), (.min, 2)])
  }

  /// Each axis by itself: the value is always one of three neighbours', and of a straight turn the scan's own.
  @Test func neverInventsAValue() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix64(seed: seed)
    let given = (0..<500).map { (Int64($0), Double(Int.random(in: -99...99, using: &generator))) }
    let got = guarded(given)
    #expect(got.count == 499)
    for (index, (stamp, x)) in got.enumerated() {
      let near = given[max(0, index - 1)...index + 1].map(\.1)
      #expect(stamp == given[index].0 && near.contains(x), "seed \(seed), scan \(index)")
    }
  }
}

@Suite struct DeltaRatesTests {
  /// Whatever the spacing, rate · time is the angle.
  @Test func theAngleComesBack() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix64(seed: seed)
    let offset = Vector3(3, 0, -2)
    var deltas = DeltaRates(offset: offset, periodNanoseconds: nil, gapLimitNanoseconds: 1_000_000_000)
    var stamp: Int64 = 17
    let first = deltas.interval(to: stamp)
    #expect(first == .unknown)
    for _ in 0..<100 {
      let elapsed = Int64.random(in: 1_000_000...20_000_000, using: &generator)
      stamp += elapsed
      let interval = deltas.interval(to: stamp)
      #expect(interval == .nanoseconds(elapsed), "seed \(seed)")
      let raw = Vector3(Double(Int.random(in: -30_000...30_000, using: &generator)), -7, 0)
      let rate = deltas.rate(of: raw, over: elapsed)
      let back = (rate.x + offset.x) * Double(elapsed) / 1e9
      #expect(abs(back - (raw.x + offset.x)) < 1e-9, "seed \(seed)")
    }
  }

  @Test func whereNoIntervalIsKnown() {
    var deltas = DeltaRates(offset: .zero, periodNanoseconds: nil, gapLimitNanoseconds: 100)
    let stamps: [Int64] = [1000, 1010, 1010, 1005, 1015, 1500, 1510, 100, 110, .max, .min]
    let intervals = stamps.map { deltas.interval(to: $0) }
    #expect(
      intervals == [
        .unknown, .nanoseconds(10), .notLater, .notLater, .nanoseconds(5), .unknown, .nanoseconds(10),
        .unknown,
        .nanoseconds(10), .unknown, .unknown,
      ])
  }

  /// Times of arrival say less than the device's own period.
  @Test func withoutStamps() {
    var deltas = DeltaRates(offset: .zero, periodNanoseconds: 5_000_000, gapLimitNanoseconds: 100)
    let intervals = ([0, 7, 7, 9_000_000_000] as [Int64]).map { deltas.interval(to: $0) }
    #expect(intervals == Array(repeating: .nanoseconds(5_000_000), count: 4))
    #expect(deltas.rate(of: Vector3(5, -10, 0), over: 5_000_000) == Vector3(1000, -2000, 0))
  }
}

@Suite struct ScanIntakeTests {
  /// Settled first, then angles to rates, then the guard: what comes out, by stamp.
  @Test func theWholeWay() {
    var intake = ScanIntake(
      settling: Settling(durationNanoseconds: 20),
      deltas: DeltaRates(offset: .zero, periodNanoseconds: nil, gapLimitNanoseconds: 1000),
      median: MedianGuard(gapLimitNanoseconds: 1000))
    var got: [RawSample] = []
    for (stamp, angle) in [(0, 9), (10, 9), (20, 1), (30, 2), (40, 900), (50, 4), (60, 5)]
      as [(Int64, Double)]
    {
      var sample = RawSample(timestampNanoseconds: stamp, raw: Vector3(angle, 0, -angle))
      if intake.admits(&sample, arrival: stamp) { got.append(sample) }
    }
    #expect(intake.settling.dropped == 2)
    #expect(got.map(\.timestampNanoseconds) == [20, 30, 40, 50])
    #expect(got.map { ($0.raw.x / 1e8).rounded() } == [1, 2, 4, 5])
  }

  /// A stall is told once; the scan after it begins a row of its own.
  @Test func aStallIsToldOnce() throws {
    var history = StallDetector.History()
    history.suspect = Vector3(1, 1, 1)
    var intake = ScanIntake(
      settling: Settling(durationNanoseconds: 0),
      stalls: StallDetector(scale: Vector3(repeating: 0.001), offset: .zero, history: history),
      median: MedianGuard(gapLimitNanoseconds: 1000))
    var told: [StallDetector.Stall] = []
    var got: [Int64] = []
    for (stamp, raw) in [(0, 1), (1, 1), (2, 1), (3, 2), (4, 3), (5, 4)] as [(Int64, Double)] {
      var sample = RawSample(timestampNanoseconds: stamp, raw: Vector3(repeating: raw))
      if intake.admits(&sample, arrival: stamp) { got.append(sample.timestampNanoseconds) }
      if let stall = intake.takeStall() { told.append(stall) }
    }
    #expect(told.map(\.isOld) == [true])
    #expect(got == [3, 4])
  }
}
