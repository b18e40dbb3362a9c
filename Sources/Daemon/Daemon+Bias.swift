import Motion
import Sensors

// Whose bias the pipeline has: what was learned of a sensor is remembered when it goes to sleep, and is where the next
// opening begins, to be checked anew. Recordings begin with what they say themselves, or with nothing.
extension Daemon {
  /// `[motion]` and `[calibration]` as the pipeline gets them: unless a calibration is configured, a recording that
  /// says what was done about the bias when it was made is played with that.
  var motionInForce: MotionSettings {
    var motion = configuration.settings.motion
    if let bias = recordedBias { motion.play(bias) }
    return motion
  }

  /// What the recording that is played says; nil where it says nothing, or something else is configured.
  var recordedBias: RecordedBias? {
    configuration.settings.isCalibrationConfigured ? nil : source.description.recordedBias
  }

  /// The sensor was opened, and the pipeline is about to get its first sample.
  func recallBias(of description: SensorDescription) {
    let name = description.lastingName ?? "recording \(description.path ?? "")"
    let mark = BiasStore.mark(of: name)
    let isSame = mark == sensorMark
    sensorMark = mark
    if !isSame { stage.pipeline.forgetSensor() }
    guard description.lastingName != nil else {
      // One that goes on after a pause goes on with what was learned until then.
      if !isSame, let recordedBias { stage.pipeline.adopt(recordedBias) }
      return
    }
    // What a daemon before has handed over, or was learned before the sensor slept, is newer than any file.
    guard !isSame || !stage.pipeline.learnedBias.isKnown else {
      return stage.pipeline.adopt(stage.pipeline.learnedBias.doubted)
    }
    let known = recalled(name)
    rememberedBias = known.bias
    stage.pipeline.adopt(known.doubted)
  }

  private func recalled(_ name: String) -> LearnedBias {
    do throws(BiasStoreError) {
      return try BiasStore()?.recall(name) ?? .none
    } catch {
      log.warning("\(error)")
      return .none
    }
  }

  /// The sensor goes to sleep, or has gone: what was learned of it since it was opened is written down.
  func rememberBias() {
    let learned = stage.pipeline.learnedBias
    guard learned.isKnown, learned.bias != rememberedBias, let name = source.description.lastingName,
      BiasStore.mark(of: name) == sensorMark, let store = BiasStore()
    else { return }
    rememberedBias = learned.bias
    do throws(BiasStoreError) {
      try store.remember(
        BiasRecord(sensor: name, learned: learned, temperature: source.description.temperature))
      hasFailedToRemember = false
    } catch {
      if !hasFailedToRemember { log.warning("\(error)") }
      hasFailedToRemember = true
    }
  }
}
