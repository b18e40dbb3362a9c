import EventLoop
import IIO
import Linux
import Motion

// Samples on their way, and what it means when none come.
extension IIOSource {
  func scansCame(_ events: IOSource.Events) {
    guard let received = readScans(wakesAgain: true) else { return }
    guard received == 0 else { return rest() }
    // A descriptor that has failed would wake the loop for ever.
    if events.contains(.hangUp) || events.contains(.error) {
      fail(SensorFailure(.noDevice, "\(title) is gone: plug it in again"))
    }
  }

  /// Reads what has come and hands it on; how many scans, or nil where that ended in a failure.
  ///
  /// - Parameter wakesAgain: whether what is left wakes the loop.
  func readScans(wakesAgain: Bool) -> Int? {
    guard let reader else { return nil }
    do throws(IIOError) {
      let outcome = try reader.pointee.read(wakesAgain: wakesAgain, now: { MonotonicClock.nanoseconds })
      guard outcome.received > 0 else { return 0 }
      lastArrival = outcome.arrival
      settlingDropped = reader.pointee.settlingDropped
      if outcome.delivered > 0 {
        configuration.history.stalls.suspect = nil
        configuration.history.hasSpoken()
        backoff.reset()
        bufferBackoff.reset()
        bufferWasReset = false
        addAccelerations(to: reader.pointee.samples, count: outcome.delivered)
        let samples = UnsafeBufferPointer(start: reader.pointee.samples, count: outcome.delivered)
        if let update = delegate?.sensorDidRead(samples) { drainPlan.updateWasMade(at: update) }
      }
      // The delegate may have stopped it.
      if let notice = outcome.notice, state == .running { heed(notice) }
      return outcome.received
    } catch {
      fail(SensorFailure(error, title))
      return nil
    }
  }

  /// Samples that the worker has read.
  func takeFromRing() {
    guard state == .running, reader == nil else { return }
    let room = SensorWorker.ringCapacity
    let batch = self.batch ?? .allocate(capacity: room)
    self.batch = batch
    let count = worker.ring.take(into: batch, room: room)
    guard count > 0 else { return }
    settlingDropped = worker.settlingDropped.load(ordering: .relaxed)
    lastArrival = MonotonicClock.nanoseconds
    configuration.history.stalls.suspect = nil
    backoff.reset()
    addAccelerations(to: batch, count: count)
    _ = delegate?.sensorDidRead(UnsafeBufferPointer(start: batch, count: count))
    guard isSilent, state == .running else { return }
    isSilent = false
    silence?.arm(atMonotonicNanoseconds: lastArrival + silenceLimit)
  }

  var isPolled: Bool { description.mode == "poll" }

  /// `read_timeout`, but of a slow sensor the time of three scans: one that is on time is not silent.
  var silenceLimit: Int64 {
    let timeout = configuration.sensor.readTimeoutNanoseconds
    if isPolled {
      // The loop does not see what is left out for settling.
      return max(timeout, 3 * configuration.pollPeriodNanoseconds)
        + configuration.sensor.settleTimeNanoseconds
    }
    let frequency = description.frequencySet ?? 0
    return max(timeout, frequency > 0 ? Int64(min(3e9 / frequency, 3600e9)) : 0)
  }

  /// An unplugged device does not wake the loop: after `read_timeout` without scans it is asked. A polled read
  /// that hangs cannot be, nor can a set-up: that is said, and it goes on when the driver answers.
  func checkSilence() {
    if state == .opening {
      delegate?.sensorDidFail(.slow("setting up \(title)", after: configuration.openingLimitNanoseconds))
      return
    }
    guard state == .running, reader != nil || isPolled else { return }
    let timeout = silenceLimit
    if MonotonicClock.nanoseconds - lastArrival >= timeout {
      let seconds = Double(timeout) / 1e9
      guard reader != nil else {
        isSilent = true
        delegate?.sensorDidFail(
          SensorFailure(
            .noData, "a read of \(title) has not been answered for \(seconds) s: its driver hangs"))
        return
      }
      guard let received = readScans(wakesAgain: false) else { return }
      if received == 0 {
        let failure = SensorFailure(
          .noData, "no scans from \(title) for \(seconds) s: its trigger may stand still")
        guard !bufferWasReset else {
          configuration.history.wasSilent(description.scanStart)
          return fail(failure)
        }
        resetBuffer(failure, nextAttemptNanoseconds: timeout)
        lastArrival = MonotonicClock.nanoseconds
      }
    }
    // The delegate may have stopped it.
    if state == .running { silence?.arm(atMonotonicNanoseconds: lastArrival + timeout) }
  }
}
