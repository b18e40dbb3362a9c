@testable import Motion

/// Milliseconds in nanoseconds.
func ms(_ milliseconds: Double) -> Int64 { Int64(milliseconds * 1e6) }

extension RawSample {
  /// At `milliseconds`, with rates about x, y and z.
  init(ms milliseconds: Double, _ x: Double, _ y: Double, _ z: Double = 0) {
    self.init(timestampNanoseconds: ms(milliseconds), raw: Vector3(x, y, z))
  }
}

/// A pipeline behind a reference, since an expectation cannot call what mutates a variable.
@dynamicMemberLookup
final class Driven {
  var pipeline: Pipeline

  /// Of a sensor that already speaks rad/s in the device frame, unless `model` says otherwise.
  init(_ model: SensorModel = SensorModel(), set: (inout MotionSettings) -> Void = { _ in }) {
    var settings = MotionSettings()
    set(&settings)
    pipeline = Pipeline(settings: settings, model: model)
  }

  subscript<Value>(dynamicMember path: KeyPath<Pipeline, Value>) -> Value { pipeline[keyPath: path] }

  func process(_ sample: RawSample) -> Update? { pipeline.process(sample) }

  /// The events that the samples bring about.
  func feed(_ samples: [RawSample]) -> [Update] { samples.compactMap { pipeline.process($0) } }

  /// Feeds samples of one rate every `step` ms from `start` to `end`, both included.
  func turn(_ x: Double, _ y: Double, from start: Double, to end: Double, step: Double) -> [Update] {
    feed(stride(from: start, through: end, by: step).map { RawSample(ms: $0, x, y) })
  }

  /// A reload with some settings changed.
  func reconfigure(_ change: (inout MotionSettings) -> Void) {
    var settings = pipeline.settings
    change(&settings)
    pipeline.reconfigure(settings: settings)
  }
}
