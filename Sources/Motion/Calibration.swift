/// A measurement of the bias that somebody asks for: the device is to lie still for so long, and it is said where it
/// did not.
///
/// Windows as `BiasEstimator`'s, each of which must be rest, and all of which must agree. Constant time and memory per
/// sample, no allocation.
package struct Calibration: Equatable, Sendable {
  /// Nanoseconds, where nobody says how long.
  package static let standardDuration: Int64 = 5_000_000_000

  /// What a measurement has come to.
  package enum Outcome: Equatable, Sendable {
    case measured(LearnedBias, noise: Vector3)
    /// The device was moved, or turns by more than the largest bias.
    case moved
    /// Not one scan differed from the one before.
    case frozen
  }

  private let duration: Int64
  private let maxBias: Double
  private var window = RestWindow()
  private var estimate: BiasEstimate?
  /// Sums over windows of the noise's variance.
  private var noise = Vector3.zero
  private var windows = 0
  private var start: Int64?
  private var newest: Int64 = 0

  /// - Parameters:
  ///   - duration: nanoseconds of sample time.
  ///   - maxBias: rad/s per axis.
  package init(duration: Int64, maxBias: Double) {
    self.duration = duration
    self.maxBias = maxBias
  }

  /// The stream is broken: it is measured from the beginning again.
  package mutating func restart() { self = Calibration(duration: duration, maxBias: maxBias) }

  /// Takes the next rate along the sensor's own axes, before any bias, rad/s; times grow. Answers when it is done:
  /// with the last window of the duration, or as soon as the device moves. A slow sensor takes longer, since a window
  /// needs its samples.
  package mutating func add(_ rate: Vector3, at timestamp: Int64) -> Outcome? {
    if start == nil { start = timestamp }
    newest = timestamp
    window.add(rate, at: timestamp)
    guard window.isBlockFull(at: timestamp) else { return nil }
    switch window.closeBlock() {
    case .restless: return .moved
    case .frozen: return .frozen
    case .calm: return window.isFull ? closeWindow() : nil
    }
  }

  private mutating func closeWindow() -> Outcome? {
    let (x, y, z) = window.takeMeans()
    let measured = BiasEstimate(x, y, z)
    guard x.isStill(maxBias), y.isStill(maxBias), z.isStill(maxBias),
      estimate?.agrees(with: measured) != false
    else { return .moved }
    if estimate == nil { estimate = measured } else { estimate?.take(measured) }
    noise = Vector3(noise.x + x.noise, noise.y + y.noise, noise.z + z.noise)
    windows += 1
    guard let estimate, let start, newest &- start >= duration else { return nil }
    let count = Double(windows)
    return .measured(
      LearnedBias(estimate.value, variance: 0),
      noise: Vector3(
        (noise.x / count).squareRoot(), (noise.y / count).squareRoot(), (noise.z / count).squareRoot()))
  }
}
