// Step 4, and what gravity adds to it where there is an accelerometer.
extension Pipeline {
  /// R·A·M of the accelerometer; nil where there is none to be used.
  ///
  /// Rates whose axes were mirrored would turn the vertical the wrong way. A mirrored matrix of an accelerometer is its
  /// rotation with the other sign, and up or down is all the same.
  static func accelerationProduct(_ settings: MotionSettings, _ model: SensorModel) -> Matrix3? {
    let placed = Matrix3(screenRotation: settings.screenRotation) * settings.axes
    guard settings.tilt.usesAccelerometer, (placed * model.mountMatrix).determinant > 0 else { return nil }
    return placed * (model.accelerationMatrix ?? model.mountMatrix)
  }

  /// Whether the axes of the rates are mirrored.
  package var isMirrored: Bool { product.determinant <= 0 }

  /// A new stream, `seconds` after the last sample before it.
  mutating func beginTilt(_ acceleration: Vector3?, after seconds: Double) {
    tiltAngle.fade(for: seconds, settings.tilt)
    gravity.begin(inPicture(acceleration))
    gravity.learn(from: bias)
  }

  /// A sample of the same stream: rates at both ends of `seconds`, and the acceleration at the later one.
  @inline(__always)
  mutating func turnTilt(
    _ previous: Vector3, _ rate: Vector3, _ acceleration: Vector3?, for seconds: Double
  ) {
    guard keepsTilt else { return }
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
    gravity.learn(from: bias)
  }

  private func inPicture(_ acceleration: Vector3?) -> Vector3? {
    guard let acceleration, let accelerationProduct else { return nil }
    return accelerationProduct * acceleration
  }
}
