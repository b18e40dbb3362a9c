import Glibc
import Motion
import Testing

@testable import Sensors

@Suite struct SampleRingTests {
  @Test func keepsTheOrderAndRefusesWhenFull() {
    let ring = SampleRing(capacity: 4)
    let target = UnsafeMutablePointer<RawSample>.allocate(capacity: 8)
    defer { target.deallocate() }
    var next: Int64 = 0
    var expected: Int64 = 0
    for round in 0..<10 {
      while ring.push(RawSample(timestampNanoseconds: next, raw: .zero)) { next += 1 }
      #expect(next - expected == 4)
      let count = ring.take(into: target, room: 1 + round % 4)
      #expect(count == 1 + round % 4)
      for index in 0..<count { #expect(target[index].timestampNanoseconds == expected + Int64(index)) }
      expected += Int64(count)
    }
    ring.clear()
    #expect(ring.take(into: target, room: 8) == 0)
  }

  /// Where one session's samples follow another's.
  @Test func forgetsWhatWasBefore() {
    let ring = SampleRing(capacity: 4)
    let target = UnsafeMutablePointer<RawSample>.allocate(capacity: 4)
    defer { target.deallocate() }
    for time in 0..<3 as Range<Int64> { _ = ring.push(RawSample(timestampNanoseconds: time, raw: .zero)) }
    #expect(ring.take(into: target, room: 1) == 1)
    let end = ring.end
    #expect(ring.push(RawSample(timestampNanoseconds: 7, raw: .zero)))
    ring.clear(before: end)
    #expect(ring.take(into: target, room: 4) == 1 && target[0].timestampNanoseconds == 7)
    ring.clear(before: ring.end)
    #expect(ring.take(into: target, room: 4) == 0)
  }

  /// A writer on a thread of its own: nothing is lost, doubled or torn.
  @Test func acrossThreads() {
    let ring = SampleRing(capacity: 16)
    let total: Int64 = 20_000
    var thread = pthread_t()
    let context = Unmanaged.passRetained(ring)
    pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let ring = Unmanaged<SampleRing>.fromOpaque(context).takeRetainedValue()
        var next: Int64 = 0
        while next < 20_000 {
          if ring.push(RawSample(timestampNanoseconds: next, raw: Vector3(repeating: Double(next)))) {
            next += 1
          } else {
            sched_yield()
          }
        }
        return nil
      }, context.toOpaque())
    let target = UnsafeMutablePointer<RawSample>.allocate(capacity: 16)
    defer { target.deallocate() }
    var seen: Int64 = 0
    var wrong = 0
    while seen < total {
      let count = ring.take(into: target, room: 16)
      for index in 0..<count {
        let sample = target[index]
        if sample.timestampNanoseconds != seen || sample.raw != Vector3(repeating: Double(seen)) {
          wrong += 1
        }
        seen += 1
      }
      if count == 0 { sched_yield() }
    }
    pthread_join(thread, nil)
    #expect(wrong == 0)
  }
}
