import Motion
import Testing

@testable import Plot

struct PlotRecordTests {
  /// Samples at these nanoseconds, each with an update.
  private func record(
    _ samples: [(Int64, PlotRecord.Arrival)], window: ClosedRange<Double> = 0...Double.infinity
  ) -> PlotRecord {
    var record = PlotRecord(window: window)
    for (index, (time, arrival)) in samples.enumerated() {
      record.take(at: time, arrival, rate: Vector3(repeating: Double(index)), bias: .zero)
      record.take(Offset(x: Double(index), y: 0), count: 1)
    }
    return record
  }

  @Test func gapsAndClockSteps() {
    let second: Int64 = 1_000_000_000
    let made = record([
      (5 * second, .follows), (6 * second, .follows), (10 * second, .afterGap), (2 * second, .afterClockStep),
      (3 * second, .follows),
    ])
    // The time goes on from where the clock was set back.
    #expect(made.rates.bins.map { $0.x.first.time } == [0, 1, 5, 6])
    #expect(made.gaps.all == [Interruption(start: 1, end: 5)])
    #expect(made.clockSteps.all == [Interruption(start: 5, end: 5)])
    #expect(made.samples == 5 && made.updates == 5)
    #expect(made.offsets.bins.map(\.beginsStream) == [true, false, true, false])
  }

  @Test func aWindow() {
    let samples: [(Int64, PlotRecord.Arrival)] = (0..<100).map { (Int64($0) * 100_000_000, .follows) }
    let made = record(samples, window: 2...4)
    #expect(made.rates.bins.first?.x.first.time == 2 && made.isComplete && !made.beginsAtStart)
    #expect((made.samples, made.updates) == (21, 21))
    // A gap that reaches into it is seen from its edge on.
    let cut = record([(0, .follows), (3_000_000_000, .afterGap), (3_100_000_000, .follows)], window: 2...4)
    #expect(cut.gaps.all == [Interruption(start: 2, end: 3)])
  }

  static let undrawable: [[Int64]] = [[], [7], [7, 7]]

  @Test(arguments: undrawable)
  func aCurveNeedsTwoSamples(_ times: [Int64]) {
    #expect(!record(times.map { ($0, .follows) }).isDrawable)
    #expect(record([(7, .follows), (1007, .follows)]).isDrawable)
  }

  /// Stamps as far apart as they can be.
  @Test func theFarthestStamps() {
    let far: Int64 = 1 << 62
    let made = record([(-far, .follows), (far, .afterGap), (-far, .afterClockStep), (far, .afterGap)])
    #expect(made.isDrawable && made.time.isFinite && made.rates.bins.count > 1)
  }
}
