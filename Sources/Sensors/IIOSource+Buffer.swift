import Linux

// A buffer that gives nothing, and one that another program has.
extension IIOSource {
  /// The first thing to try when no scans come; the opening and all settings stay.
  func resetBuffer(_ failure: SensorFailure, nextAttemptNanoseconds: Int64) {
    bufferWasReset = true
    reader?.pointee.restart()
    worker.post(.resetBuffer(generation: generation))
    var failure = failure
    failure.retryInNanoseconds = nextAttemptNanoseconds
    delegate?.sensorDidFail(failure)
  }

  /// The sensor is open. Where it is polled because another program has its buffer, that is looked at again.
  func expectBuffer() {
    guard description.bufferRefusal == .busy else { return bufferBackoff.reset() }
    let delay = bufferBackoff.delay()
    description.bufferRetryAtNanoseconds = MonotonicClock.nanoseconds + delay
    bufferRetry?.arm(afterNanoseconds: delay)
  }

  func bufferWasTried(isFree: Bool) {
    if isFree { reopen() } else { expectBuffer() }
  }

  /// iio-sensor-proxy has come or gone: a device that it reads too is then read another way, in a new stream.
  package func autoRotationDidChange(runs: Bool) {
    guard runs != configuration.autoRotationRuns else { return }
    configuration.autoRotationRuns = runs
    guard configuration.sensor.mode == .auto else { return }
    switch state {
    case .opening: open()
    case .running: if description.hasAccelerometer { reopen() }
    case .idle, .waiting: break
    }
  }

  /// Sets the sensor up anew; a new stream begins.
  func reopen() {
    letGo()
    open()
  }
}
