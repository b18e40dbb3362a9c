import Glibc

/// Which way is up, from rates and accelerations: the explicit complementary filter with bias correction of
/// R. Mahony, T. Hamel, J.-M. Pflimlin, "Nonlinear Complementary Filters on the Special Orthogonal Group", IEEE
/// Transactions on Automatic Control 53(5), 2008, of the vertical alone: nothing here knows north.
///
/// Rates turn the vertical, each acceleration draws it a little towards itself, and what is drawn again and again is
/// the gyroscope's bias. What the filter adds to a rate, its correction, is added in step 4 too: a bias then turns
/// neither the vertical nor the tilt. About the vertical itself gravity says nothing.
///
/// Any direction that stands still in the world would do: it does not matter whether a driver reports gravity or what
/// bears it.
struct GravityFilter: Equatable, Sendable {
  /// How fast it believes accelerations.
  struct Gains: Equatable, Sendable {
    /// k_P, 1/s.
    let proportional: Double
    /// k_I, 1/s²: half the square of k_P, a damping of 0.7.
    let integral: Double

    /// Nothing is known of the bias. An error of the vertical fades in about five seconds: less lets a bias stand for
    /// longer, more follows each movement. Tried on the recordings of docs/tilt.md.
    static let searching = Gains(proportional: 0.2, integral: 0.02)
    /// A bias is taken off of the rates before: what is left is little, and a hand's own accelerations are the larger
    /// error.
    static let steady = Gains(proportional: 0.05, integral: 0.00125)
  }

  /// rad/s per axis; no gyroscope that is of any use has more.
  static let largestBias = 0.2
  /// Seconds without an acceleration after which the filter no longer runs.
  static let longestSilence = 0.5
  /// m/s²: what is less is a fall, what is more is a blow, and neither has a direction that could be used.
  static let usable = 1.0...100.0

  /// What turns faster, rad/s, is turned, whatever its bias.
  static let surelyTurning = 2 * largestBias
  /// How far the vertical may be carried, as a chord of the unit sphere, while an accelerometer says the same bit for
  /// bit: beyond that it is stuck.
  static let longestCarry = 0.3

  /// Whether the accelerometer says the same however the device turns.
  private(set) var isStuck = false
  /// m/s² of the newest acceleration, where that could not be used; never NaN.
  private(set) var unusable: Double?
  /// Whether it runs: the stream has accelerations.
  private(set) var isRunning = false
  /// The vertical, a unit vector in the picture's frame; means nothing unless it runs.
  private(set) var vertical = Vector3.zero
  private var gains = Gains.searching
  /// Taken off of the rates before they come here, rad/s in the sensor's frame.
  private var known = Vector3.zero
  /// b̂, rad/s in the picture's frame: what is left of the bias. Kept from stream to stream.
  private(set) var bias = Vector3.zero
  /// k_P·e − b̂, rad/s: what is to be added to rates; zero unless it runs.
  private(set) var correction = Vector3.zero
  /// Seconds since the last acceleration that was used.
  private var silence = 0.0
  /// The acceleration that came last, and where the vertical has gone since one came that was another.
  private var newest = Vector3.zero
  private var carried = Vector3.zero

  /// A new stream: how the device was turned before it is not known.
  mutating func begin(_ acceleration: Vector3?) {
    stop()
    if let acceleration { observe(acceleration) }
  }

  /// Rates at both ends of `seconds`, corrected already, turn the vertical.
  @inline(__always)
  mutating func turn(_ previous: Vector3, _ rate: Vector3, for seconds: Double) {
    silence += seconds
    guard silence <= Self.longestSilence else { return stop() }
    let half = seconds / 2
    let angle = Vector3(
      (previous.x + rate.x) * half, (previous.y + rate.y) * half, (previous.z + rate.z) * half)
    let before = vertical
    vertical.turn(by: angle)
    guard angle.length > Self.surelyTurning * seconds else { return }
    carried = Vector3(
      carried.x + vertical.x - before.x, carried.y + vertical.y - before.y, carried.z + vertical.z - before.z)
  }

  /// Finds out whether it says the same while the device turns; one that is coarse may say the same at rest for long.
  private mutating func look(at acceleration: Vector3) {
    if acceleration != newest {
      newest = acceleration
      carried = .zero
    }
    isStuck = carried.length > Self.longestCarry
  }

  /// An acceleration, m/s² in the picture's frame, at the end of what was turned.
  mutating func observe(_ acceleration: Vector3) {
    let magnitude = acceleration.length
    guard Self.usable.contains(magnitude) else {
      unusable = magnitude.isNaN ? .infinity : magnitude
      return
    }
    unusable = nil
    look(at: acceleration)
    guard !isStuck else { return stop() }
    let measured = acceleration.divided(by: magnitude)
    guard isRunning else {
      isRunning = true
      vertical = measured
      silence = 0
      correction = Vector3(-bias.x, -bias.y, -bias.z)
      return
    }
    let error = measured.cross(vertical)
    let share = gains.integral * silence
    bias = Vector3(
      Self.bounded(bias.x - share * error.x), Self.bounded(bias.y - share * error.y),
      Self.bounded(bias.z - share * error.z))
    correction = Vector3(
      gains.proportional * error.x - bias.x, gains.proportional * error.y - bias.y,
      gains.proportional * error.z - bias.z)
    silence = 0
  }

  /// The bias that is taken off of the rates from the next one on, zero where none is known. What was learned was of
  /// rates without it, and is forgotten where that changes.
  mutating func learn(from newlyKnown: Vector3) {
    guard newlyKnown != known else { return }
    known = newlyKnown
    gains = known == .zero ? .searching : .steady
    if isRunning {
      correction = Vector3(correction.x + bias.x, correction.y + bias.y, correction.z + bias.z)
    }
    bias = .zero
  }

  /// Nothing is corrected until an acceleration comes.
  mutating func stop() {
    isRunning = false
    correction = .zero
  }

  /// Other axes: what was learned was of another frame.
  mutating func forget() { self = GravityFilter() }

  private static func bounded(_ rate: Double) -> Double { min(max(rate, -largestBias), largestBias) }
}

extension Vector3 {
  fileprivate var length: Double { (x * x + y * y + z * z).squareRoot() }

  fileprivate func divided(by number: Double) -> Vector3 { Vector3(x / number, y / number, z / number) }

  fileprivate func cross(_ v: Vector3) -> Vector3 {
    Vector3(y * v.z - z * v.y, z * v.x - x * v.z, x * v.y - y * v.x)
  }

  /// What stands still in the world, seen from a frame that turns by `angle` (rad about its axes): Rodrigues' formula
  /// with the angle's negative; of length 1 again.
  @inline(__always)
  fileprivate mutating func turn(by angle: Vector3) {
    let size = angle.length
    guard size > 0 else { return }
    let axis = angle.divided(by: size)
    let (sine, cosine) = (sin(size), cos(size))
    let along = (axis.x * x + axis.y * y + axis.z * z) * (1 - cosine)
    let across = axis.cross(self)
    let turned = Vector3(
      x * cosine - across.x * sine + axis.x * along, y * cosine - across.y * sine + axis.y * along,
      z * cosine - across.z * sine + axis.z * along)
    self = turned.divided(by: turned.length)
  }
}
