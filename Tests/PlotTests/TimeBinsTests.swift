import Motion
import TestSupport
import Testing

@testable import Plot

struct TimeBinsTests {
  /// The numbers that came, in order.
  private struct Listed: Binned {
    var numbers: [Int]
    mutating func append(_ later: Listed) { numbers += later.numbers }
  }

  static let spans: [(times: [Double], bins: [[Int]], width: Double)] = [
    ([], [], 1), ([0], [[0]], 1), ([0, 0.5, 3.9], [[0, 1], [2]], 1),
    ([0, 1, 2, 3], [[0], [1], [2], [3]], 1),
    ([0, 1, 2, 3, 4], [[0, 1], [2, 3], [4]], 2), ([0, 1, 7.9], [[0, 1], [2]], 2), ([1, 8], [[0], [1]], 4),
    ([0, 1e10], [[0], [1]], 4_294_967_296),
  ]

  @Test(arguments: spans.indices)
  func spansBecomeLonger(_ index: Int) {
    let (times, expected, width) = Self.spans[index]
    var bins = TimeBins<Listed>(capacity: 4, width: 1)
    for (number, time) in times.enumerated() { bins.add(Listed(numbers: [number]), at: time) }
    #expect(bins.bins.map(\.numbers) == expected)
    #expect(bins.width == width)
  }

  /// Nothing is lost, and never more than the capacity is kept, but more than half of it where all are taken.
  @Test func boundedAndWhole() {
    var bins = TimeBins<Listed>(capacity: 64)
    for number in 0..<10_000 {
      bins.add(Listed(numbers: [number]), at: Double(number) * 0.005)
      #expect(bins.bins.count <= 64)
    }
    #expect(bins.bins.flatMap(\.numbers) == Array(0..<10_000))
    #expect(bins.bins.count > 32)
    #expect(bins.reduced(to: 10).count <= 10)
    #expect(bins.reduced(to: 10).flatMap(\.numbers) == Array(0..<10_000))
  }

  static let curves: [(values: [Double], points: [Double])] = [
    ([1], [1]), ([1, 2], [1, 2]), ([2, 1], [2, 1]), ([1, 5, -3, 2], [1, 5, -3, 2]),
    ([1, -3, 5, 2], [1, -3, 5, 2]),
    ([1, 2, 3, 4, 5], [1, 5]), ([0, 1, 0, 9, 0, -9, 0, 1], [0, 9, -9, 1]), ([3, 3, 3], [3, 3]),
  ]

  @Test(arguments: curves.indices)
  func envelopes(_ index: Int) throws {
    let (values, expected) = Self.curves[index]
    var envelope = Envelope(values[0], at: 0)
    for (time, value) in values.enumerated().dropFirst() {
      envelope.append(Envelope(value, at: Double(time)))
    }
    #expect(envelope.points.map(\.value) == expected)
    #expect(envelope.points.map(\.time) == envelope.points.map(\.time).sorted())
  }

  /// However it is cut into spans, an envelope's extremes are those of all.
  @Test func envelopesOfEnvelopes() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = SplitMix64(seed: seed)
    let values = (0..<500).map { _ in Double.random(in: -10...10, using: &random) }
    var parts: [Envelope] = []
    for (time, value) in values.enumerated() {
      let one = Envelope(value, at: Double(time))
      if parts.isEmpty || Bool.random(using: &random) {
        parts.append(one)
      } else {
        parts[parts.count - 1].append(one)
      }
    }
    var whole = parts[0]
    for part in parts.dropFirst() { whole.append(part) }
    #expect(whole.least.value == values.min() && whole.greatest.value == values.max())
    #expect(whole.first.value == values.first && whole.last.value == values.last)
  }

  /// A path keeps how far out it went, in its order.
  @Test func pathsKeepTheirReach() {
    let way = [(0, 0), (3, 1), (1, 4), (-2, 1), (0, -5), (1, 1)].map { Offset(x: $0.0, y: $0.1) }
    var bin = OffsetBin(way[0], at: 0, beginsStream: true)
    for (time, offset) in way.enumerated().dropFirst() {
      bin.append(OffsetBin(offset, at: Double(time), beginsStream: false))
    }
    #expect(bin.points.map { Offset(x: $0.x, y: $0.y) } == way)
    #expect(bin.reach.x == (-2, 3) && bin.reach.y == (-5, 4))
  }

  /// A million gaps take no more room than can be seen, and still cover the same time.
  @Test(arguments: [0.0, 1e-3, 1, 1e6])
  func interruptionsAreBounded(step: Double) {
    var all = Interruptions()
    for index in 0..<20_000 {
      all.add(Interruption(start: Double(index) * step, end: (Double(index) + 0.4) * step))
    }
    #expect(all.count == 20_000)
    #expect(all.all.count <= Interruptions.limit)
    #expect(all.all.first?.start == 0 && all.all.last?.end == 19_999.4 * step)
    #expect(zip(all.all, all.all.dropFirst()).allSatisfy { $0.end <= $1.start })
  }
}
