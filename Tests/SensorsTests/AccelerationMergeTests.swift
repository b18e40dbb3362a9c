import Motion
import Testing

@testable import Sensors

@Suite struct AccelerationMergeTests {
  /// The accelerations (their z) that `scans` at these times get, after readings at those.
  private func merged(_ readings: [Int64], _ batches: [[Int64]]) -> [[Double?]] {
    let ring = SampleRing(capacity: AccelerationMerge.capacity)
    var merge = AccelerationMerge()
    for time in readings {
      _ = ring.push(
        RawSample(timestampNanoseconds: time, raw: .zero, acceleration: Vector3(0, 0, Double(time))))
    }
    var result: [[Double?]] = []
    for batch in batches {
      var samples = batch.map { RawSample(timestampNanoseconds: $0, raw: .zero) }
      samples.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        merge.take(from: ring)
        merge.put(to: start, count: buffer.count)
      }
      result.append(samples.map { $0.acceleration?.z })
    }
    return result
  }

  @Test func eachGoesToTheFirstScanThatIsNotOlder() {
    #expect(merged([15, 35], [[10, 20], [30], [40, 50]]) == [[nil, 15], [nil], [35, nil]])
    #expect(merged([20], [[20]]) == [[20]])
  }

  @Test func theNewestCountsWhereSeveralAreDue() {
    #expect(merged([11, 12, 13], [[20, 30]]) == [[13, nil]])
  }

  @Test func scansOfAnotherTimeGetNone() {
    #expect(merged(Array(1000..<3000), [[1], [2]]) == [[nil], [nil]])
  }

  @Test func noRoomDropsTheOldest() {
    let ring = SampleRing(capacity: AccelerationMerge.capacity)
    var merge = AccelerationMerge()
    for round in 0..<5 {
      for time in 0..<Int64(AccelerationMerge.capacity) {
        _ = ring.push(
          RawSample(
            timestampNanoseconds: Int64(round) * 1000 + time, raw: .zero, acceleration: Vector3(0, 0, 1)))
      }
      merge.take(from: ring)
    }
    var sample = RawSample(timestampNanoseconds: .max / 2, raw: .zero)
    merge.put(to: &sample, count: 1)
    #expect(sample.acceleration != nil)
  }
}
