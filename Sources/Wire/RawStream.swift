/// One reading in a `SubscribeRaw` stream, before offset, scale and bias.
package struct RawScan: Equatable, Sendable {
  package var timestampNanoseconds: Int64
  /// Along the sensor's own axes.
  package var x: Double
  package var y: Double
  package var z: Double

  package init(timestampNanoseconds: Int64, x: Double, y: Double, z: Double) {
    self.timestampNanoseconds = timestampNanoseconds
    self.x = x
    self.y = y
    self.z = z
  }
}

/// How the scans of a `SubscribeRaw` stream become rad/s:
/// `rate = matrix · ((raw + offset) · scale − bias)`, and what they are from.
package struct RawHeader: Equatable, Sendable {
  /// `integer` (a converter's numbers) or `decimal` (a recording's, whatever they are).
  package var format = "integer"
  /// rad/s per unit, along x, y and z.
  package var scale: [Double] = [1, 1, 1]
  /// Added before the scale.
  package var offset: [Double] = [0, 0, 0]
  /// The mount matrix, nine numbers by rows.
  package var matrix: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
  /// rad/s in the sensor's frame, subtracted after the scale.
  package var bias: [Double] = [0, 0, 0]
  /// How much is known of it, (rad/s)²: 1 or more where nothing is; nil where it is not estimated.
  package var biasVariance: Double?
  /// Samples per second that the sensor is set to; nil where unknown.
  package var frequency: Double?
  /// The value that on all three axes at once means "no data".
  package var noData: Double?
  /// `monotonic`, `realtime`, …, `wake-up` or `trace`.
  package var clock: String?
  package var name: String?
  package var label: String?
  package var path: String?
  /// The stream was begun anew: earlier batches of this subscription belong to another one.
  package var restart = false
  /// The stream was not begun anew for this subscription: scans that it does not have went before, so that the
  /// live offsets do not follow from its own.
  package var midStream = false

  package init() {}
}
