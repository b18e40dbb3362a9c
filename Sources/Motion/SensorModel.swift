/// How a sensor's raw values become rad/s in the device frame (the kernel's IIO ABI).
///
/// `rate = mountMatrix · ((raw + offset) · scale − bias)`
package struct SensorModel: Equatable, Sendable {
  /// rad/s per unit of raw, per axis.
  package var scale: Vector3
  /// Added to raw before the scale, per axis; 0 where the driver has none.
  package var offset: Vector3
  /// Sensor frame → device frame (x right of the screen, y up, z towards the viewer).
  package var mountMatrix: Matrix3
  /// The accelerometer's frame → device frame; nil: it sits as the gyroscope does.
  package var accelerationMatrix: Matrix3?
  /// Samples per second that the sensor is set to or the trace's header names; 0 where unknown.
  package var nominalFrequency: Double
  /// The raw value that, on all three axes at once, means "no data": −32768 on Bosch parts.
  package var noDataMark: Double?

  /// The largest magnitudes that are taken, wherever a model is from: what a sensor runs with can be recorded
  /// and read back.
  package static let largestScale = 1000.0
  package static let largestOffset = 1e15
  package static let largestMatrixEntry = 1000.0

  package init(
    scale: Vector3 = Vector3(repeating: 1), offset: Vector3 = .zero, mountMatrix: Matrix3 = .identity,
    nominalFrequency: Double = 0, noDataMark: Double? = nil
  ) {
    self.scale = scale
    self.offset = offset
    self.mountMatrix = mountMatrix
    self.nominalFrequency = nominalFrequency
    self.noDataMark = noDataMark
  }
}
