/// Three numbers along x, y and z: rates in rad/s, raw values, or a scale per axis.
@frozen
package struct Vector3: Equatable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  @inlinable
  package init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The same number along each axis.
  @inlinable
  package init(repeating value: Double) { self.init(value, value, value) }

  package static let zero = Vector3(0, 0, 0)
}
