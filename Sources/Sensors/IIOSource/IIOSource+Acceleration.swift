import Linux
import Motion

// Accelerations, where somebody wants them.
extension IIOSource {
  /// An accelerometer of its own is read or not, and nothing else changes. One in the gyroscope's device gives its
  /// values in the same scans: it is opened anew for them, once. It then stays until the sensor is switched off: that
  /// somebody does not want them any more is no reason for a gap for the others.
  func accelerationWishDidChange() {
    configuration.wantsAcceleration = wantsAcceleration
    guard wantsAcceleration else { return leaveAccelerometer() }
    switch state {
    case .opening: open()
    case .running: if canHaveAccelerationInScans { reopen() } else { readAccelerometer() }
    case .idle, .waiting: break
    }
  }

  /// The sensor is open: accelerations that are not in the scans are read beside it.
  func readAccelerometer() {
    guard wantsAcceleration, !isReadingAccelerometer, let place = description.accelerometerPlace,
      description.accelerationTrouble == nil,
      !(description.accelerometerIsOwn && description.mode == "buffer")
    else { return }
    do throws(SystemError) {
      if accelerometer == nil { accelerometer = try AccelerometerWorker(worker.reports) }
      isReadingAccelerometer = true
      accelerometer?.post(.read(generation: generation, place))
    } catch {
      giveUpAccelerometer("\(place.title) is not read (\(error))")
    }
  }

  /// Never waits for it.
  func leaveAccelerometer() {
    guard isReadingAccelerometer else { return }
    isReadingAccelerometer = false
    description.accelerationWay = nil
    accelerometer?.post(.rest)
  }

  /// It is read.
  func accelerationComes(_ way: String, _ warnings: [String]) {
    guard isReadingAccelerometer else { return }
    description.accelerationWay = way
    description.accelerationTrouble = nil
    for warning in warnings where !description.warnings.contains(warning) {
      description.warn(warning)
      delegate?.sensorDidWarn(warning)
    }
  }

  /// It is not read, for now or for good.
  func accelerationEnds(_ trouble: String) {
    description.accelerationWay = nil
    description.accelerationTrouble = trouble
    delegate?.sensorDidWarn("the tilt is the gyroscope's alone: \(trouble)")
  }

  /// Until the sensor is opened the next time.
  func giveUpAccelerometer(_ trouble: String) {
    leaveAccelerometer()
    accelerationEnds(trouble)
  }

  /// Adds accelerations that were read beside the samples to those. One that hangs is given up.
  func addAccelerations(to samples: UnsafeMutablePointer<RawSample>, count: Int) {
    guard isReadingAccelerometer, let accelerometer else { return }
    merge.take(from: accelerometer.samples)
    merge.put(to: samples, count: count)
    guard accelerometer.hangs(at: lastArrival) else { return }
    let title = description.accelerometer ?? "the accelerometer"
    giveUpAccelerometer(
      "a read of \(title) has not been answered for \(AccelerometerWorker.patience / 1_000_000_000) s: its "
        + "driver hangs")
  }

  private var canHaveAccelerationInScans: Bool {
    description.accelerometerIsOwn && description.mode == "buffer" && !description.accelerationIsInScans
      && description.accelerationTrouble == nil
  }
}
