import Motion
import Testing

@testable import Traces

struct DemonstrationTests {
  /// Offsets by the default rule: they go well away from neutral in every cycle, and are back at its end.
  @Test func movesAndComesBack() {
    var pipeline = Pipeline(settings: MotionSettings(), model: Demonstration.model)
    for cycle in 0..<50 {
      var farthest = Offset.neutral
      for step in 0..<2400 {
        guard let update = pipeline.process(Demonstration.sample(Int64(cycle * 2400 + step))) else {
          continue
        }
        farthest.x = max(farthest.x, update.x.magnitude)
        farthest.y = max(farthest.y, update.y.magnitude)
      }
      #expect(farthest.x > 15 && farthest.x < 60)
      #expect(farthest.y > 15 && farthest.y < 60)
      #expect(pipeline.offset.x.magnitude < 5)
      #expect(pipeline.offset.y.magnitude < 5)
    }
    #expect(pipeline.counters.gaps == 0 && pipeline.counters.outOfOrder == 0)
  }

  @Test func isQuantisedAndNoisy() {
    var mean = Vector3.zero
    var values: Set<Double> = []
    // The first 0.8 s of a cycle are at rest.
    for index in 0..<Int64(160) {
      let raw = Demonstration.sample(index).raw
      #expect(raw.x == raw.x.rounded() && raw.x.magnitude <= 32768)
      values.insert(raw.x)
      mean.x += raw.x / 160
      mean.z += raw.z / 160
    }
    #expect(values.count > 5)
    #expect((mean.x * Demonstration.scale - Demonstration.bias.x).magnitude < 0.002)
    #expect((mean.z * Demonstration.scale - Demonstration.bias.z).magnitude < 0.002)
  }

  @Test func isTheSameEverywhere() {
    #expect(Demonstration.sample(0).timestampNanoseconds == 0)
    #expect(Demonstration.sample(1_000_000_007) == Demonstration.sample(1_000_000_007))
    #expect(Demonstration.sample(1_000_000_007).timestampNanoseconds == 5_000_000_035_000_000)
    #expect(Demonstration.sample(300).raw != Demonstration.sample(2700).raw)
  }
}
