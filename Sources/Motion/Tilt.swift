/// How the device is held against neutral, −1 to 1 along each axis: signs as the offset's.
package struct Tilt: Equatable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package static let neutral = Tilt(x: 0, y: 0)

  /// What reduced motion leaves of it. 0 is exactly neutral: no negative zero on the way out.
  package func scaled(by scale: Double) -> Tilt {
    scale == 0 ? .neutral : Tilt(x: x * scale, y: y * scale)
  }
}
