import Motion
import Testing
import Wire

@testable import parallaxctl

@Suite struct StreamFactsTests {
  @Test func streamsOfAnyKind() {
    #expect(StreamFacts([]).events == 0)
    var event = MotionEvent()
    event.state = .running
    event.timestampNanoseconds = .max
    event.rate = .init(x: 1, y: 2, z: 3)
    let one = StreamFacts([event])
    #expect(one.mean == Vector3(1, 2, 3) && one.deviation == .zero && one.seconds == 0)
  }
}
