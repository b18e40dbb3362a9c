/// What a gyroscope owes to iio-sensor-proxy, which turns the screen by an accelerometer: a part that measures
/// both has one buffer, and while that runs its values cannot be read one by one. Pure.
enum AutoRotation {
  /// Whether the gyroscope is to be polled though it has a buffer.
  static func wantsPolling(proxyRuns: Bool, hasAccelerometer: Bool, canBePolled: Bool) -> Bool {
    proxyRuns && hasAccelerometer && canBePolled
  }

  /// Why it is, for people.
  static let reason =
    "polled, so that auto-rotation (iio-sensor-proxy) goes on, which needs the accelerometer of the same part; "
    + "`mode = \"buffer\"` in [sensor] forces the buffer"
}
