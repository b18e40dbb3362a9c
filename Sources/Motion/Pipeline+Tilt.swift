// Step 4, and what gravity adds to it where there is an accelerometer.
extension Pipeline {
  /// R·A·M of the accelerometer. A frame that is mirrored cannot be that of rates and accelerations at once: then
  /// there is none.
  static func accelerationProduct(_ settings: MotionSettings, _ model: SensorModel) -> Matrix3? {
    guard settings.tilt.usesAccelerometer else { return nil }
    let placed = Matrix3(screenRotation: settings.screenRotation) * settings.axes
    let isMirrored = (placed * model.mountMatrix).determinant <= 0
    let matrix = placed * (model.accelerationMatrix ?? model.mountMatrix)
    return isMirrored || matrix.determinant <= 0 ? nil : matrix
  }

  /// A new stream, `seconds` after the last sample before it.
  mutating func beginTilt(_ acceleration: Vector3?, after seconds: Double) {
    tiltAngle.fade(for: seconds, settings.tilt)
    gravity.begin(inPicture(acceleration))
  }

  /// A sample of the same stream: rates at both ends of `seconds`, and the acceleration at the later one.
  @inline(__always)
  mutating func turnTilt(
    _ previous: Vector3, _ rate: Vector3, _ acceleration: Vector3?, for seconds: Double
  ) {
    guard gravity.isRunning || acceleration != nil else {
      return tiltAngle.turn(previous, rate, for: seconds, settings.tilt)
    }
    turnTiltWithGravity(previous, rate, acceleration, for: seconds)
  }

  /// Step 4 of rates that the filter has corrected; without a correction, exactly step 4.
  private mutating func turnTiltWithGravity(
    _ previous: Vector3, _ rate: Vector3, _ acceleration: Vector3?, for seconds: Double
  ) {
    if gravity.isRunning {
      let added = gravity.correction
      let before = Vector3(previous.x + added.x, previous.y + added.y, previous.z + added.z)
      let now = Vector3(rate.x + added.x, rate.y + added.y, rate.z + added.z)
      tiltAngle.turn(before, now, for: seconds, settings.tilt)
      gravity.turn(before, now, for: seconds)
    } else {
      tiltAngle.turn(previous, rate, for: seconds, settings.tilt)
    }
    if let acceleration = inPicture(acceleration) { gravity.observe(acceleration) }
  }

  private func inPicture(_ acceleration: Vector3?) -> Vector3? {
    guard let acceleration, let accelerationProduct else { return nil }
    return accelerationProduct * acceleration
  }
}
