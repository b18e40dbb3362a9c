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
    guard description.bufferIsBusy else { return bufferBackoff.reset() }
    let delay = bufferBackoff.delay()
    description.bufferRetryAtNanoseconds = MonotonicClock.nanoseconds + delay
    bufferRetry?.arm(afterNanoseconds: delay)
  }

  func bufferWasTried(isFree: Bool) {
    if isFree { reopen() } else { expectBuffer() }
  }

  /// Sets the sensor up anew; a new stream begins.
  func reopen() {
    letGo()
    open()
  }
}
