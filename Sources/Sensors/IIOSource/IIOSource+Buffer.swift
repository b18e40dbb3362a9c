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

  /// To try a silent buffer again interrupts the samples, for twice the read timeout and the first back-off; to look
  /// whether it is free does not.
  private static let readTimeoutsOfSilence: Int64 = 30

  /// The sensor is open. Where it is polled because its buffer is not to be had, that is looked at again.
  ///
  /// - Parameter soon: whether something has happened that may have changed it.
  func expectBuffer(soon: Bool = false) {
    guard let refusal = description.bufferRefusal else { return }
    var delay = bufferBackoff.delay()
    if refusal == .noData {
      delay = delay / 1_000_000_000 * Self.readTimeoutsOfSilence * configuration.sensor.readTimeoutNanoseconds
    }
    if soon { delay = Self.newsDelayNanoseconds }
    description.bufferRetryAtNanoseconds = MonotonicClock.nanoseconds + delay
    bufferRetry?.arm(afterNanoseconds: delay)
  }

  /// Time to look at it, or reason to.
  func tryBuffer() {
    guard state == .running, let refusal = description.bufferRefusal else { return }
    if refusal == .noData {
      configuration.history.forgetSilence(openings: 1)
      reopen()
    } else {
      worker.askForBuffer()
    }
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
