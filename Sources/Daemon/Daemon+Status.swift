import Linux
import Motion
import Sensors
import Wire

extension Daemon {
  func makeStatus() -> Status {
    let settings = configuration.settings
    let audience = server.audience
    var status = Status(backend: settings.sensor.backend.rawValue)
    status.version = parallaxVersion
    status.state = lifecycle.state
    status.reason = lifecycle.reason
    status.text = text
    status.retryIn = retryIn
    status.reducedMotion = lifecycle.isReduced
    status.sensor.describe(source.description)
    status.sensor.frequencyMeasured = stage.meter.hertz
    if let remark = frequencyRemark { status.sensor.why.append(remark) }
    status.configuration.files = settings.files
    status.configuration.loadedAt = configuration.loadedAt
    status.configuration.lastError = configuration.lastError
    status.configuration.scenes = configuration.scenes.scenes.keys.sorted()
    status.settings = settings.inForce.map {
      Status.Setting(name: $0.name, value: $0.value == "inf" ? nil : $0.value)
    }
    status.tilt = tiltText
    status.bias = stage.pipeline.bias.numbers
    status.biasConfidence = stage.pipeline.biasConfidence
    status.counters = counters
    status.subscribers = audience.subscribers
    status.connections = audience.connections
    status.pages = audience.pages
    return status
  }

  /// Of a sensor whose samples come at another frequency than was set. A recording is as it is.
  private var frequencyRemark: String? {
    guard configuration.settings.sensor.backend == .iio else { return nil }
    return FrequencyRemark.text(
      expected: source.description.model.nominalFrequency, measured: stage.meter.hertz)
  }

  /// One sentence for people.
  var text: String {
    let sensor = source.description.name ?? configuration.settings.sensor.backend.rawValue
    let count = lifecycle.subscribers
    switch lifecycle.state {
    case .idle: return idleText
    case .starting: return "switching the sensor on"
    case .running where count == 0: return "measuring the bias of \(sensor)"
    case .running:
      let reading = "reading \(sensor) for \(count.counted("subscriber"))"
      return [reading, reducedText].compactMap { $0 }.joined(separator: "; ")
    case .reduced: return "\(reducedText ?? "every subscriber asked for reduced motion"); the sensor is off"
    case .waiting where lifecycle.isSuspended: return "the machine goes to sleep; the sensor is off"
    case .waiting, .stalled:
      if lifecycle.source == .ended { return "the recording has been played to its end" }
      return failure?.text ?? "no scans"
    }
  }

  private var idleText: String {
    let parts = [
      "no subscriber; the sensor is off", reducedText, failure.map { "at the last attempt: \($0.text)" },
    ]
    return parts.compactMap { $0 }.joined(separator: "; ")
  }

  /// Who has switched reduced motion on; nil where nobody has.
  private var reducedText: String? {
    switch lifecycle.reducedBy {
    case .configuration: "reduced motion is on by configuration"
    case .user: "reduced motion is on by the run-time switch"
    case .nobody: nil
    }
  }

  /// Seconds.
  private var retryIn: Double? {
    guard let retryAt = failure?.retryAtNanoseconds ?? source.description.bufferRetryAtNanoseconds else {
      return nil
    }
    return max(0, Double(retryAt - MonotonicClock.nanoseconds) / 1e9)
  }

  private var counters: Status.Counters {
    let motion = stage.pipeline.counters
    var counters = Status.Counters()
    counters.samples = motion.samples
    counters.updates = motion.updates
    counters.invalid = motion.invalid
    counters.outOfOrder = motion.outOfOrder
    counters.clockSteps = motion.clockSteps
    counters.gaps = motion.gaps
    counters.settling = Int64(source.settlingDropped)
    counters.wakeups = stage.wakeups
    counters.eventsSent = server.counters.eventsSent
    counters.dropped = server.counters.dropped
    return counters
  }
}

extension Status.Sensor {
  fileprivate mutating func describe(_ sensor: SensorDescription) {
    name = sensor.name
    label = sensor.label
    id = sensor.id
    path = sensor.path
    uri = sensor.uri
    mode = sensor.mode
    why = sensor.why
    frequencyAsked = sensor.frequencyAsked
    frequencySet = sensor.frequencySet
    clock = sensor.clock
    skippedRows = sensor.skippedRows
    mountMatrixFrom = sensor.mountMatrixFrom
    // Before it was open nothing is known.
    guard sensor.mode != nil else { return }
    scale = sensor.model.scale.numbers
    mountMatrix = sensor.model.mountMatrix.numbers
  }
}
