/// A bias with the variance of each axis: what one window measures, and what many have come to.
struct BiasEstimate: Equatable, Sendable {
  /// rad/s.
  private(set) var value: Vector3
  /// (rad/s)².
  private(set) var variance: Vector3

  /// By how much the variance of a bias grows in a second, (rad/s)²: 0.0002 rad/s in ten seconds. Consumer parts
  /// wander by that order (bias instability of 5 to 40 °/h, and their temperature).
  private static let walk = 3e-9
  /// The variance at which the confidence is a half. Age alone does not make it larger: an old estimate is to be
  /// doubted, but not so much that a slow turn passes for it.
  static let doubtful = 1e-6
  /// A departure below this, rad/s, is never motion.
  private static let leastDeparture = 0.005

  /// What a window says.
  init(_ x: RestWindow.Means, _ y: RestWindow.Means, _ z: RestWindow.Means) {
    value = Vector3(x.mean, y.mean, z.mean)
    variance = Vector3(x.variance, y.variance, z.variance)
  }

  init(_ learned: LearnedBias) {
    value = learned.bias
    variance = Vector3(repeating: learned.variance)
  }

  /// The variance of the axis that is known least.
  var worst: Double { max(variance.x, variance.y, variance.z) }

  /// Time has passed: the bias may have wandered.
  mutating func age(by seconds: Double) {
    variance.x = Self.aged(variance.x, by: seconds)
    variance.y = Self.aged(variance.y, by: seconds)
    variance.z = Self.aged(variance.z, by: seconds)
  }

  private static func aged(_ variance: Double, by seconds: Double) -> Double {
    max(variance, min(variance + walk * seconds, doubtful))
  }

  /// Whether a window's mean departs from this by no more than chance: five standard errors of the difference, or
  /// 0.005 rad/s, whichever is more.
  func agrees(with other: BiasEstimate) -> Bool {
    Self.agree(value.x - other.value.x, variance.x + other.variance.x)
      && Self.agree(value.y - other.value.y, variance.y + other.variance.y)
      && Self.agree(value.z - other.value.z, variance.z + other.variance.z)
  }

  private static func agree(_ difference: Double, _ variance: Double) -> Bool {
    difference.magnitude <= max(5 * variance.squareRoot(), leastDeparture)
  }

  /// The mean of both, each weighted by the inverse of its variance: a Kalman filter's step.
  mutating func take(_ measured: BiasEstimate) {
    Self.take(measured.value.x, measured.variance.x, into: &value.x, &variance.x)
    Self.take(measured.value.y, measured.variance.y, into: &value.y, &variance.y)
    Self.take(measured.value.z, measured.variance.z, into: &value.z, &variance.z)
  }

  private static func take(
    _ measured: Double, _ error: Double, into value: inout Double, _ variance: inout Double
  ) {
    let gain = variance / (variance + error)
    value += gain * (measured - value)
    variance *= 1 - gain
  }
}
