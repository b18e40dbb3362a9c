import Motion
import Sensors
import Settings
import Wire

/// What a raw stream begins with: how the scans of a sensor become rates in this pipeline.
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
