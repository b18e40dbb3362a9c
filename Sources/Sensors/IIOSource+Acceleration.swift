// Accelerations, where somebody wants them.
extension IIOSource {
  /// An accelerometer of its own is read or not, and nothing else changes. One in the gyroscope's device gives its
  /// values in the same scans: it is opened anew for them, once. It then stays until the sensor is switched off: that
  /// somebody does not want them any more is no reason for a gap for the others.
  func accelerationWishDidChange() {
    configuration.wantsAcceleration = wantsAcceleration
    worker.wantAcceleration(wantsAcceleration)
    guard wantsAcceleration else { return }
    switch state {
    case .opening: open()
    case .running: if canHaveAccelerationInScans { reopen() }
    case .idle, .waiting: break
    }
  }

  private var canHaveAccelerationInScans: Bool {
    description.accelerometerIsOwn && description.mode == "buffer" && !description.accelerationIsInScans
      && description.accelerationTrouble == nil
  }
}
