import Motion
import Wire

/// The way back from the daemon's rates, ω = (R·A·M)·u, to what they were made of, by what its status says.
struct FrameOfSensor: Equatable {
  /// R·A: a permutation with signs.
  private let picture: Matrix3
  /// M.
  private let mount: Matrix3
  /// rad/s that the daemon subtracts.
  private let bias: Vector3

  /// nil where the status does not say enough.
  init?(_ status: Status) {
    let axes = Matrix3(axisLetters: status.setting("sensor.axes") ?? "XYZ")
    let rotation = Matrix3(screenRotation: status.setting("sensor.screen_rotation").flatMap { Int($0) } ?? 0)
    guard let axes, let mount = status.sensor.mountMatrix.flatMap({ Matrix3(numbers: $0) }),
      let bias = Vector3(numbers: status.bias)
    else { return nil }
    picture = rotation * axes
    self.mount = mount
    self.bias = bias
  }

  /// Whether the way back to the sensor's axes is the same, whatever the bias is.
  func isMounted(as other: FrameOfSensor) -> Bool { picture == other.picture && mount == other.mount }

  /// M·u of a rate: before `axes` and the screen's rotation. A permutation's inverse is its transpose.
  func beforeAxes(_ rate: Vector3) -> Vector3 { picture.transposed * rate }

  /// The bias that makes this mean rate 0; nil where the mount matrix has no inverse.
  func bias(meanRate: Vector3) -> Vector3? {
    let product = picture * mount
    let determinant = product.determinant
    guard determinant.magnitude > 1e-6 else { return nil }
    // Cramer's rule: a column replaced by the rate.
    func solved(_ column: Int) -> Double {
      var columns = product.transposed
      switch column {
      case 0: columns.x = meanRate
      case 1: columns.y = meanRate
      default: columns.z = meanRate
      }
      return columns.determinant / determinant
    }
    return Vector3(bias.x + solved(0), bias.y + solved(1), bias.z + solved(2))
  }
}

extension Matrix3 {
  var transposed: Matrix3 {
    Matrix3(rows: Vector3(x.x, y.x, z.x), Vector3(x.y, y.y, z.y), Vector3(x.z, y.z, z.z))
  }
}
