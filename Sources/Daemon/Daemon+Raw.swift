import Motion
import Sensors
import Settings
import Wire

extension Daemon {
  /// `[motion]` as the pipeline gets it.
  var motionInForce: MotionSettings {
    var motion = configuration.settings.motion
    if let bias = source.description.recordedBias { motion.play(recordedBias: bias) }
    return motion
  }
}

extension RawHeader {
  init(_ sensor: SensorDescription, settings: MotionSettings, backend: SensorSettings.Backend) {
    self.init()
    let model = sensor.model
    format = backend == .replay ? "decimal" : "integer"
    scale = model.scale.numbers
    offset = model.offset.numbers
    matrix = model.mountMatrix.numbers
    bias = settings.bias.numbers
    frequency = model.nominalFrequency > 0 ? model.nominalFrequency : nil
    noData = model.noDataMark
    clock = sensor.clock
    name = sensor.name
    label = sensor.label
    path = sensor.path
  }
}
