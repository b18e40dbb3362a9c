/// One reading of a gyroscope as the sensor or the trace gives it, before offset, scale and bias; with what an
/// accelerometer beside it said at the same time, if there is one.
@frozen
package struct RawSample: Equatable, Sendable {
  /// Nanoseconds: CLOCK_MONOTONIC when live (or the device's clock), the trace's own in a replay.
  package var timestampNanoseconds: Int64
  /// Raw values along the sensor's axes: integers of the converter, or a unit that `SensorModel.scale`
  /// turns into rad/s.
  package var raw: Vector3
  /// m/s² along the accelerometer's axes; nil where there is none, or it has nothing new. Of the tilt alone.
  package var acceleration: Vector3?

  @inlinable
  package init(timestampNanoseconds: Int64, raw: Vector3, acceleration: Vector3? = nil) {
    self.timestampNanoseconds = timestampNanoseconds
    self.raw = raw
    self.acceleration = acceleration
  }
}
