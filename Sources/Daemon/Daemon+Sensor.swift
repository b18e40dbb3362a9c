import Linux
import Motion
import Sensors
import Wire

extension Daemon: SensorDelegate {
  func sensorDidOpen(_ description: SensorDescription) {
    stage.adopt(description.model)
    stage.pipeline.reconfigure(settings: motionInForce)
    recallBias(of: description)
    server.rawStreamDidRestart()
    log.debug("open: \(description.why.joined(separator: "; "))")
    // Once, not at every opening.
    if description.warnings != sensorWarnings, !description.warnings.isEmpty {
      log.warning(description.warnings.joined(separator: "; "))
    }
    sensorWarnings = description.warnings
  }

  func sensorDidWarn(_ text: String) {
    // Once, not at every opening.
    guard !saidOfSensor.contains(text) else { return }
    if saidOfSensor.count == 8 { saidOfSensor.removeFirst() }
    saidOfSensor.append(text)
    log.warning(text)
  }

  /// The fast path: scans → pipeline → sockets, in one go.
  func sensorDidRead(_ samples: UnsafeBufferPointer<RawSample>) -> Int64? {
    // Scans that a source had under way when it was stopped.
    guard lifecycle.source != .off else { return nil }
    defer { if !stage.calibrations.isEmpty { finishCalibrations() } }
    let merged = stage.read(samples, scenesOf: server.hasScenes ? server : nil)
    let isFirst = lifecycle.source != .running
    if isFirst {
      failure = nil
      lifecycle.source = .running
    }
    server.publishRaw(samples)
    // The last subscriber may have gone with that.
    guard lifecycle.source == .running else { return nil }
    if isFirst { tell(publishing: !merged.made) }
    guard merged.made else { return nil }
    var event = presentEvent
    event.gap = merged.gap
    publish(event)
    return event.timestampNanoseconds
  }

  func sensorDidRestart() { restartStream() }

  func sensorDidFail(_ failure: SensorFailure) {
    guard lifecycle.source != .off else { return }
    rememberBias()
    let retryAt = failure.retryInNanoseconds.map { MonotonicClock.nanoseconds + $0 }
    self.failure = (failure.text, retryAt)
    restartStream()
    lifecycle.source = .failed(StateReason(failure.reason))
    lifecycleDidChange()
  }

  func sensorDidEnd() {
    guard lifecycle.source != .off else { return }
    lifecycle.source = .ended
    lifecycleDidChange()
  }
}

extension StateReason {
  init(_ reason: SensorFailure.Reason) {
    self =
      switch reason {
      case .noDevice: .noDevice
      case .permission: .permission
      case .busy: .busy
      case .noData: .noData
      case .configuration: .configuration
      }
  }
}
