/// How far content is moved, in points: x to the right, y up.
@frozen
package struct Offset: Equatable, Sendable {
  package var x: Double
  package var y: Double

  @inlinable
  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package static let neutral = Offset(x: 0, y: 0)

  /// What reduced motion leaves of it. 0 is exactly neutral: no negative zero on the way out.
  package func scaled(by scale: Double) -> Offset {
    scale == 0 ? .neutral : Offset(x: x * scale, y: y * scale)
  }
}
