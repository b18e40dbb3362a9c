import Motion

/// How an accelerometer's raw values become m/s² in the device frame (the kernel's IIO ABI):
/// `matrix · ((raw + offset) · scale)`. Pure.
struct AccelerationReading: Equatable, Sendable {
  /// m/s² per unit, per axis.
  var scale: Vector3
  var offset: Vector3
  var matrix: Matrix3

  @inline(__always)
  func acceleration(_ raw: Vector3) -> Vector3 {
    matrix
      * Vector3(
        (raw.x + offset.x) * scale.x, (raw.y + offset.y) * scale.y, (raw.z + offset.z) * scale.z)
  }
}
