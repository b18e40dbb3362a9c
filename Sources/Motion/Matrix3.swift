/// A 3 × 3 matrix by rows, such as a mount matrix: `device = matrix · sensor`.
package struct Matrix3: Equatable, Sendable {
  package var x: Vector3
  package var y: Vector3
  package var z: Vector3

  /// - Parameters: the rows, from the top.
  package init(rows x: Vector3, _ y: Vector3, _ z: Vector3) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// By rows; nil where there are not nine.
  package init?(numbers: [Double]) {
    guard numbers.count == 9, let x = Vector3(numbers: numbers[..<3]),
      let y = Vector3(numbers: numbers[3..<6]), let z = Vector3(numbers: numbers[6...])
    else { return nil }
    self.init(rows: x, y, z)
  }

  /// Nine, by rows.
  package var numbers: [Double] { x.numbers + y.numbers + z.numbers }

  package static let identity = Matrix3(rows: Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))

  /// `self · v`; each row's sum runs from left to right, so that the result is the same everywhere.
  package static func * (matrix: Matrix3, v: Vector3) -> Vector3 {
    func row(_ r: Vector3) -> Double { r.x * v.x + r.y * v.y + r.z * v.z }
    return Vector3(row(matrix.x), row(matrix.y), row(matrix.z))
  }

  /// `self · other`.
  package static func * (matrix: Matrix3, other: Matrix3) -> Matrix3 {
    func row(_ r: Vector3) -> Vector3 {
      Vector3(
        r.x * other.x.x + r.y * other.y.x + r.z * other.z.x,
        r.x * other.x.y + r.y * other.y.y + r.z * other.z.y,
        r.x * other.x.z + r.y * other.y.z + r.z * other.z.z)
    }
    return Matrix3(rows: row(matrix.x), row(matrix.y), row(matrix.z))
  }

  package var determinant: Double {
    x.x * (y.y * z.z - y.z * z.y) - x.y * (y.x * z.z - y.z * z.x) + x.z * (y.x * z.y - y.y * z.x)
  }
}
