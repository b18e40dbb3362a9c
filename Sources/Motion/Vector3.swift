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

  /// nil where there are not three.
  package init?(numbers: some Collection<Double>) {
    guard numbers.count == 3 else { return nil }
    let numbers = Array(numbers)
    self.init(numbers[0], numbers[1], numbers[2])
  }

  package static let zero = Vector3(0, 0, 0)

  /// x, y and z.
  package var numbers: [Double] { [x, y, z] }
}
