/// What a gyroscope owes to iio-sensor-proxy, which turns the screen by an accelerometer: a part that measures
/// both has one buffer, and while that runs its values cannot be read one by one. Pure.
enum AutoRotation {
  /// Whether the gyroscope is to be polled though it has a buffer.
  static func wantsPolling(proxyRuns: Bool, hasAccelerometer: Bool, canBePolled: Bool) -> Bool {
    proxyRuns && hasAccelerometer && canBePolled
  }

  /// Why it is, for people.
  static let reason =
    "iio-sensor-proxy is on the bus and turns the screen by the accelerometer of this part, which nobody else can "
    + "read while the buffer runs; `mode = \"buffer\"` in [sensor] forces the buffer"
}
