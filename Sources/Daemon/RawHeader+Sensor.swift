import Motion
import Sensors
import Settings
import Wire

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
}

extension RawHeader {
  init(_ sensor: SensorDescription, _ pipeline: Pipeline, backend: SensorSettings.Backend) {
    self.init()
    let model = sensor.model
    format = backend == .replay ? "decimal" : "integer"
    scale = model.scale.numbers
    offset = model.offset.numbers
    matrix = model.mountMatrix.numbers
    bias = pipeline.bias.numbers
    if pipeline.settings.biasMode == .auto { biasVariance = pipeline.learnedBias.variance }
    frequency = model.nominalFrequency > 0 ? model.nominalFrequency : nil
    noData = model.noDataMark
    clock = sensor.clock
    name = sensor.name
    label = sensor.label
    path = sensor.path
  }
}
