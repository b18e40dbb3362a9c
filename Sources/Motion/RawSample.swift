/// One reading of a gyroscope as the sensor or the trace gives it, before offset, scale and bias.
@frozen
package struct RawSample: Equatable, Sendable {
  /// Nanoseconds: CLOCK_MONOTONIC when live (or the device's clock), the trace's own in a replay.
  package var timestampNanoseconds: Int64
  /// Raw values along the sensor's axes: integers of the converter, or a unit that `SensorModel.scale`
  /// turns into rad/s.
  package var raw: Vector3

  @inlinable
  package init(timestampNanoseconds: Int64, raw: Vector3) {
    self.timestampNanoseconds = timestampNanoseconds
    self.raw = raw
  }
}
