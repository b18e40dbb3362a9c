import EventLoop
import Linux
import Motion
import Wire

// `Calibrate`: the sensor is on for as long as somebody measures, and what is found is the estimate from then on.
extension Daemon {
  /// How much longer than what was asked for a calibration may take: for switching the sensor on, and where a stream
  /// is broken.
  private static let grace: Int64 = 15_000_000_000

  func beginCalibration(_ id: Int, nanoseconds: Int64?) throws(ServiceError) {
    if let reason = lifecycle.calibrationRefusal { throw .noSensor(reason: reason.rawValue) }
    let duration = nanoseconds ?? Calibration.standardDuration
    stage.calibrations.append(
      RunningCalibration(
        id: id,
        calibration: Calibration(duration: duration, maxBias: configuration.settings.motion.maxBias),
        deadline: MonotonicClock.nanoseconds + duration + Self.grace))
    calibrationsDidChange()
  }

  func cancelCalibration(_ id: Int) {
    stage.calibrations.removeAll { $0.id == id }
    calibrationsDidChange()
  }

  /// Answers those that are done. To be called after each wake-up of the sensor.
  func finishCalibrations() {
    guard stage.hasFinishedCalibration else { return }
    let done = stage.calibrations.filter { $0.outcome != nil }
    stage.calibrations.removeAll { $0.outcome != nil }
    for one in done {
      guard let outcome = one.outcome else { continue }
      server.finishCalibration(one.id, result(of: outcome))
    }
    calibrationsDidChange()
  }

  private func result(of outcome: Calibration.Outcome) -> Result<CalibrationResult, ServiceError> {
    switch outcome {
    case .moved: return .failure(.deviceMoved)
    case .frozen: return .failure(.noSensor(reason: StateReason.noData.rawValue))
    case .measured(let learned, let noise):
      take(learned)
      return .success(
        CalibrationResult(
          bias: learned.bias.numbers, confidence: learned.confidence, noise: noise.numbers))
    }
  }

  /// From the next sample on, which begins a new stream: what is recorded begins with another bias.
  private func take(_ learned: LearnedBias) {
    stage.pipeline.adopt(learned)
    rememberBias()
    handover?.write(motionRecord)
    log.info("calibrated: the bias is \(learned.bias.numbers) rad/s")
    guard stage.pipeline.settings.biasMode == .auto else { return }
    stage.pipeline.restart()
    server.rawStreamDidRestart()
  }

  /// Those that cannot go on are answered; the sensor is on for the others.
  func refuseCalibrations() {
    guard !stage.calibrations.isEmpty, let reason = lifecycle.calibrationRefusal else { return }
    fail(reason) { _ in true }
  }

  private func fail(_ reason: StateReason, where isMeant: (RunningCalibration) -> Bool) {
    let failed = stage.calibrations.filter(isMeant)
    guard !failed.isEmpty else { return }
    stage.calibrations.removeAll(where: isMeant)
    for one in failed {
      server.finishCalibration(one.id, .failure(.noSensor(reason: reason.rawValue)))
    }
    calibrationsDidChange()
  }

  private func calibrationsDidChange() {
    if let next = stage.calibrations.map(\.deadline).min() {
      if calibrationTimer == nil {
        calibrationTimer = try? TimerSource(loop) { [unowned self] in
          let now = MonotonicClock.nanoseconds
          fail(.noData) { $0.deadline <= now }
        }
      }
      calibrationTimer?.arm(atMonotonicNanoseconds: next)
    } else {
      calibrationTimer?.disarm()
    }
    guard lifecycle.calibrations != stage.calibrations.count else { return }
    lifecycle.calibrations = stage.calibrations.count
    lifecycleDidChange()
  }
}
