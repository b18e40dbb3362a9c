import Linux
import Motion

// Accelerations of a device of its own, read beside the scans that the loop reads itself.
extension SensorWorker {
  /// Whether somebody wants accelerations; never waits. The loop's.
  func wantAcceleration(_ isWanted: Bool) {
    guard accelerationIsWanted.exchange(isWanted, ordering: .acquiringAndReleasing) != isWanted else {
      return
    }
    commands.signal()
  }

  /// Reads until there is a command, nobody wants accelerations any more, or they cannot be had: then the session has
  /// them no more.
  func pollAccelerations(_ opened: Opened) {
    guard var polling = startPolling(opened) else { return }
    guard let timer = try? PeriodicTimer(nanoseconds: Accelerometer.pollPeriodNanoseconds) else {
      return giveUp(opened, "there is no timer to read accelerations by")
    }
    while accelerationIsWanted.load(ordering: .acquiring) {
      guard timer.wait(orReadable: commands.descriptor) else {
        // The event may be that of a command done before.
        commands.clearSignal()
        if !commands.isEmpty { return }
        continue
      }
      if let acceleration = polling.read() {
        // A loop that does not take them has something worse to do.
        _ = accelerations.push(
          RawSample(
            timestampNanoseconds: MonotonicClock.nanoseconds, raw: .zero, acceleration: acceleration))
      }
      if let trouble = polling.trouble { return giveUp(opened, trouble) }
    }
    reports.post(.acceleration(generation: opened.generation, way: nil, trouble: nil))
  }

  /// Says how accelerations come, or why they do not; nil where they are not read one by one.
  func startPolling(_ opened: Opened) -> AccelerationPolling? {
    guard !opened.session.hasGivenUpAcceleration else { return nil }
    do throws(SensorFailure) {
      guard let polling = try opened.session.polledAccelerometer(opened.configuration) else {
        opened.session.hasGivenUpAcceleration = true
        return nil
      }
      reports.post(.acceleration(generation: opened.generation, way: AccelerationPolling.way, trouble: nil))
      return polling
    } catch {
      giveUp(opened, error.text)
      return nil
    }
  }

  func giveUp(_ opened: Opened, _ trouble: String) {
    opened.session.hasGivenUpAcceleration = true
    reports.post(.acceleration(generation: opened.generation, way: nil, trouble: trouble))
  }
}
