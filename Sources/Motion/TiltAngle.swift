import Glibc

/// θt: by how much the device is turned from the way it is usually held, rad about the picture's x and y (step 4 of
/// the processing order).
///
/// Rates add up without a dead zone, and what they came to fades with the time constant, so that neutral follows the
/// hand. The clamped angle is the state: what went beyond the range is forgotten, and the way back moves at once.
package struct TiltAngle: Equatable, Sendable {
  /// rad about the picture's x.
  package private(set) var x: Double = 0
  /// rad about its y.
  package private(set) var y: Double = 0

  package static let neutral = TiltAngle()

  private init() {}

  /// Numbers that are not finite are none.
  package init(x: Double, y: Double) {
    guard x.isFinite, y.isFinite else { return }
    self.x = x
    self.y = y
  }

  /// Rates of `previous` and `rate`, rad/s, at both ends of `seconds`; the mean of them held throughout.
  @inline(__always)
  mutating func turn(_ previous: Vector3, _ rate: Vector3, for seconds: Double, _ settings: TiltSettings) {
    let tau = settings.recenterTime
    if tau > 0 {
      let kept = exp(-seconds / tau)
      let share = tau * (1 - kept)
      x = x * kept + share * (previous.x + rate.x) / 2
      y = y * kept + share * (previous.y + rate.y) / 2
    } else {
      x += seconds * (previous.x + rate.x) / 2
      y += seconds * (previous.y + rate.y) / 2
    }
    clamp(to: settings.range)
  }

  /// `seconds` of which nothing is known: the angle fades, and does not where no time has passed.
  mutating func fade(for seconds: Double, _ settings: TiltSettings) {
    if settings.recenterTime > 0, seconds > 0 {
      let kept = exp(-seconds / settings.recenterTime)
      x *= kept
      y *= kept
    }
    clamp(to: settings.range)
  }

  /// Brings it inside ±range.
  mutating func clamp(to range: Double) {
    x = min(max(x, -range), range)
    y = min(max(y, -range), range)
  }

  /// −1 to 1 along each axis, signs as the offset's: x to the right from the rotation about y.
  func tilt(of range: Double) -> Tilt { Tilt(x: y / range, y: x / range) }
}
