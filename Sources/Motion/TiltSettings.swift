/// `[tilt]`: settings of step 4 of the processing order. Ranges are checked where settings are read.
package struct TiltSettings: Equatable, Sendable {
  /// τ of the way back to neutral, seconds; 0: never.
  package var recenterTime: Double = 5
  /// The angle that is a tilt of 1, radians.
  package var range: Double = 0.35
  /// Whether an accelerometer steadies the tilt, where there is one.
  package var usesAccelerometer = true

  package init() {}
}
