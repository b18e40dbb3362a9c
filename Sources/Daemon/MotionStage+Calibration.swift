import Motion

/// A measurement of the bias under way.
struct RunningCalibration {
  /// Who asked (`ServerDelegate.beginCalibration`).
  let id: Int
  var calibration: Calibration
  /// When it has failed, CLOCK_MONOTONIC nanoseconds.
  let deadline: Int64
  var outcome: Calibration.Outcome?
}

extension MotionStage {
  /// Whether one of them is done.
  var hasFinishedCalibration: Bool { calibrations.contains { $0.outcome != nil } }

  /// Takes a sample that the pipeline has just had.
  mutating func calibrate(_ sample: RawSample, _ before: Pipeline.Counters) {
    guard pipeline.counters.samples != before.samples else { return }
    if pipeline.counters.breaks != before.breaks { restartCalibrations() }
    let rate = pipeline.scaledRate(of: sample)
    var index = 0
    while index < calibrations.count {
      if calibrations[index].outcome == nil {
        calibrations[index].outcome = calibrations[index].calibration
          .add(rate, at: sample.timestampNanoseconds)
      }
      index += 1
    }
  }

  /// All are measured from the beginning again.
  mutating func restartCalibrations() {
    var index = 0
    while index < calibrations.count {
      if calibrations[index].outcome == nil { calibrations[index].calibration.restart() }
      index += 1
    }
  }
}
