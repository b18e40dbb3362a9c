/// Finds the bias of a gyroscope from what it says at rest; `[calibration] mode = "auto"`.
///
/// Rates come in as the sensor gives them, before any bias and in its own frame. They are taken in blocks of a quarter
/// of a second, six of which are a window. A window is rest where on all three axes
/// - the noise within the blocks is small, absolutely and beside the noise that this sensor has had at rest, and
/// - the means of the blocks differ by no more than that noise makes them differ, so nothing turns or drifts.
///
/// That the rate itself is small is not asked: the bias may be large, and a slow turn is small too. What tells a turn
/// from a bias is time. A window's mean that departs from the estimate by more than five standard errors and
/// 0.005 rad/s is motion until it has lasted a minute unchanged; and the very first estimate needs two windows that
/// agree, since no hand turns anything so steadily for three seconds.
///
/// Rest detection by the deviation of the rates over 1.5 s and a random walk of the bias between measurements are those
/// of VQF (Laidig and Seel, "VQF: Highly accurate IMU orientation estimation with bias estimation and magnetic
/// disturbance rejection", Information Fusion 91, 2023), without its accelerometer. That the means of blocks are held
/// against the noise within them is the von Neumann ratio's idea.
///
/// Constant time and memory per sample, no allocation; the same rates give the same estimate bit for bit.
package struct BiasEstimator: Equatable, Sendable {
  /// |bias| on each axis, rad/s: a window beyond is motion.
  private(set) var maxBias: Double

  /// What is to be subtracted now, rad/s; (0, 0, 0) until there is an estimate. A new estimate is eased in.
  package private(set) var bias = Vector3.zero
  /// nil until something was learned.
  private(set) var estimate: BiasEstimate?
  /// What departs from the estimate, or is to be the first, and since when.
  private var candidate: Candidate?
  private var window = RestWindow()
  /// The variance of the noise that this sensor has at rest; nil until it was seen at rest.
  private var floor: Vector3?
  /// Blocks in which `bias` has still to come to the estimate.
  private var blocksToEase = 0

  private struct Candidate: Equatable {
    var estimate: BiasEstimate
    /// Nanoseconds, of its first sample.
    let since: Int64
  }

  package init(maxBias: Double) { self.maxBias = maxBias }

  /// What was learned, as far as it can be handed on.
  package var learned: LearnedBias { estimate.map { LearnedBias(bias, variance: $0.worst) } ?? .none }

  /// Takes the next rate of the stream, rad/s; times grow.
  @inline(__always)
  package mutating func add(_ rate: Vector3, at timestamp: Int64) {
    window.add(rate, at: timestamp)
    if window.isBlockFull(at: timestamp) { closeBlock(at: timestamp) }
  }

  /// The stream is broken: what is open is not gone on with, what was learned stays.
  package mutating func discardOpenWindow() {
    window.clear()
    candidate = nil
  }

  /// Begins anew from an estimate of another time, which holds at once, or from none; nothing else is left, so that
  /// what follows depends on nothing else.
  package mutating func adopt(_ learned: LearnedBias) {
    self = BiasEstimator(maxBias: maxBias)
    guard learned.isKnown, isAllowed(learned.bias) else { return }
    estimate = BiasEstimate(learned)
    bias = learned.bias
  }

  /// Another largest bias; an estimate beyond it is forgotten.
  mutating func limit(to newMaxBias: Double) {
    guard newMaxBias != maxBias else { return }
    maxBias = newMaxBias
    candidate = nil
    if let estimate, !isAllowed(estimate.value) || !isAllowed(bias) { adopt(.none) }
  }

  private func isAllowed(_ bias: Vector3) -> Bool {
    bias.x.magnitude <= maxBias && bias.y.magnitude <= maxBias && bias.z.magnitude <= maxBias
  }

  // MARK: Blocks and windows

  private mutating func closeBlock(at timestamp: Int64) {
    ease()
    let seconds = Double(timestamp &- window.blockStart) / 1e9
    estimate?.age(by: seconds)
    candidate?.estimate.age(by: seconds)
    guard window.closeBlock() == .calm else { return discardOpenWindow() }
    guard window.isFull else { return }
    let start = window.start
    let (x, y, z) = window.takeMeans()
    guard x.isStill(maxBias), y.isStill(maxBias), z.isStill(maxBias), isQuiet(x, y, z) else {
      candidate = nil
      return
    }
    learnFloor(x, y, z)
    learn(BiasEstimate(x, y, z), from: start, to: timestamp)
  }

  /// Brings `bias` to the estimate in equal steps.
  private mutating func ease() {
    guard blocksToEase > 0, let estimate else { return }
    let left = Double(blocksToEase)
    bias.x += (estimate.value.x - bias.x) / left
    bias.y += (estimate.value.y - bias.y) / left
    bias.z += (estimate.value.z - bias.z) / left
    blocksToEase -= 1
  }

  // MARK: The noise floor

  /// Whether the noise is this sensor's noise at rest. Where it is not, the floor rises by a tenth, so that a sensor
  /// that has become noisier is not shut out for long.
  private mutating func isQuiet(_ x: RestWindow.Means, _ y: RestWindow.Means, _ z: RestWindow.Means) -> Bool {
    guard let floor else { return true }
    if x.isQuiet(beside: floor.x), y.isQuiet(beside: floor.y), z.isQuiet(beside: floor.z) { return true }
    self.floor = Vector3(floor.x * 1.1, floor.y * 1.1, floor.z * 1.1)
    return false
  }

  private mutating func learnFloor(_ x: RestWindow.Means, _ y: RestWindow.Means, _ z: RestWindow.Means) {
    guard let old = floor else {
      floor = Vector3(x.noise, y.noise, z.noise)
      return
    }
    floor = Vector3(
      old.x + (x.noise - old.x) / 8, old.y + (y.noise - old.y) / 8, old.z + (z.noise - old.z) / 8)
  }

  // MARK: Learning

  /// How long what departs from the estimate must last to be the bias; and what is to be the first.
  private static let departureNanoseconds: Int64 = 60_000_000_000
  private static let firstNanoseconds: Int64 = 2_500_000_000
  /// Over how many blocks a change comes.
  private static let easing = 4

  private mutating func learn(_ measured: BiasEstimate, from start: Int64, to end: Int64) {
    if estimate?.agrees(with: measured) == true {
      estimate?.take(measured)
      candidate = nil
      blocksToEase = Self.easing
      return
    }
    if candidate?.estimate.agrees(with: measured) == true {
      candidate?.estimate.take(measured)
    } else {
      candidate = Candidate(estimate: measured, since: start)
    }
    guard let candidate else { return }
    let lasting = estimate == nil ? Self.firstNanoseconds : Self.departureNanoseconds
    guard end - candidate.since >= lasting else { return }
    // Nothing is gained by easing in the first: what is wrong until then is the more.
    if estimate == nil { bias = candidate.estimate.value } else { blocksToEase = Self.easing }
    estimate = candidate.estimate
    self.candidate = nil
  }
}
