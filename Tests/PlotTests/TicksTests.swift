import TestSupport
import Testing

@testable import Plot

struct TicksTests {
  static let cases: [(low: Double, high: Double, count: Int, labels: [String])] = [
    (0, 10, 5, ["0", "2", "4", "6", "8", "10"]),
    (0, 10, 10, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]),
    (0, 10, 4, ["0", "5", "10"]),
    (-1, 1, 4, ["−1", "−0.5", "0", "0.5", "1"]),
    (0, 0.3, 3, ["0", "0.1", "0.2", "0.3"]),
    (-0.12, 0.12, 6, ["−0.1", "−0.05", "0", "0.05", "0.1"]),
    (0.001, 0.0045, 4, ["0.001", "0.002", "0.003", "0.004"]),
    (1234.5, 1236.1, 4, ["1234.5", "1235", "1235.5", "1236"]),
    (0, 45_000, 5, ["0", "10000", "20000", "30000", "40000"]),
    (0, 4e9, 4, ["0", "1e9", "2e9", "3e9", "4e9"]),
    (0, 3e-9, 2, ["0", "2e-9"]),
    (-3e120, 3e120, 3, ["−2e120", "0", "2e120"]),
    (14.999, 15.001, 2, ["14.999", "15", "15.001"]),
    (0, 1, 0, ["0", "0.5", "1"]),
  ]

  @Test(arguments: cases.indices)
  func multiplesOfOneTwoFive(_ index: Int) {
    let (low, high, count, labels) = Self.cases[index]
    #expect(Ticks(AxisRange(low, high), atMost: count).ticks.map(\.label) == labels)
  }

  /// Inside of the range, evenly, at most one more than asked for, and at least two where three may be.
  @Test func anyRange() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var numbers = SplitMix64(seed: seed)
    for _ in 0..<2000 {
      let low = Double(Int64.random(in: -1_000_000...1_000_000, using: &numbers)) / 1000
      let range = AxisRange(low, low + Double.random(in: 1e-3...1e6, using: &numbers))
      let count = Int.random(in: 3...20, using: &numbers)
      let values = Ticks(range, atMost: count).ticks.map(\.value)
      #expect((1...count + 1).contains(values.count), "\(range) \(count)")
      let edge = range.span * 1e-9
      #expect(values.allSatisfy { range.low - edge <= $0 && $0 <= range.high + edge }, "\(range) \(count)")
      #expect(values == values.sorted(), "\(range) \(count)")
    }
  }

  static let labels: [(number: Int64, exponent: Int, label: String)] = [
    (0, 5, "0"), (0, -5, "0"), (5, -1, "0.5"), (-5, -2, "−0.05"), (50, -1, "5"), (15, 8, "1.5e9"),
    (1, -4, "0.0001"), (1, -5, "1e-5"), (25, -6, "2.5e-5"), (9, 6, "9000000"), (1, 7, "1e7"),
    (-123, -1, "−12.3"), (1000, -2, "10"),
  ]

  @Test(arguments: labels.indices)
  func labelsInDigits(_ index: Int) {
    let (number, exponent, label) = Self.labels[index]
    #expect(Ticks.label(number, exponent: exponent) == label)
  }

  static let ranges: [(one: Double, other: Double)] = [
    (0, 0), (5, 5), (1e9, 1e9), (-1e-300, 1e-300), (3, -3), (1e300, -1e300), (1e150, 1e150),
    (Double.infinity, 0), (-Double.infinity, Double.infinity), (123_456, 123_456.000_000_1),
  ]

  /// Whatever it is made of, numbers inside of it are told apart.
  @Test(arguments: ranges.indices)
  func rangesAreNeverEmpty(_ index: Int) {
    let range = AxisRange(Self.ranges[index].one, Self.ranges[index].other)
    #expect(range.low < range.middle && range.middle < range.high && range.span.isFinite)
    #expect(!Ticks(range, atMost: 5).ticks.isEmpty)
    let scale = Scale(range: range, start: 10, end: 110)
    #expect(scale.pixel(range.low) == 10 && scale.pixel(range.high) == 110)
    #expect(scale.pixel(-.infinity) == 10 && scale.pixel(.infinity) == 110)
  }
}
