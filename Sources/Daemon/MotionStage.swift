import Motion
import Server

/// The fast path's state, in one value that the loop owns: samples in, the event of a wake-up out.
///
/// Nothing here allocates.
struct MotionStage {
  var pipeline: Pipeline
  private(set) var meter = FrequencyMeter()
  /// Measurements of the bias that go on; mostly none.
  var calibrations: [RunningCalibration] = []
  /// Wake-ups that brought samples.
  private(set) var wakeups: Int64 = 0

  init(pipeline: Pipeline) { self.pipeline = pipeline }

  /// Updates that one wake-up made, as one.
  struct Merged {
    var made = false
    var gap = false
  }

  /// Runs the samples of one wake-up through the pipeline; what the updates among them come to is in
  /// `pipeline`.
  ///
  /// - Parameter server: is told of each update; nil where nobody has a scene.
  mutating func read(_ samples: UnsafeBufferPointer<RawSample>, scenesOf server: Server?) -> Merged {
    wakeups += 1
    var merged = Merged()
    for sample in samples {
      meter.add(timestampNanoseconds: sample.timestampNanoseconds)
      let before = calibrations.isEmpty ? nil : pipeline.counters
      let update = pipeline.process(sample)
      if let before { calibrate(sample, before) }
      guard let update else { continue }
      merged.made = true
      merged.gap = merged.gap || update.gap
      server?.moveScenes(by: pipeline.movement)
    }
    return merged
  }

  /// The next sample begins a new stream.
  mutating func restart() {
    pipeline.restart()
    restartCalibrations()
    meter.reset()
  }

  /// The sensor was opened: its model is known, and the next sample begins a new stream.
  mutating func adopt(_ model: SensorModel) {
    pipeline.adopt(model: model)
    restartCalibrations()
    meter.reset()
  }
}
