import Linux
import Motion
import Scene

/// What a background needs beyond the bounds to each side: E/((L+F+1)·d), where E is how far the offset comes. Pure.
struct Margins: Equatable, Sendable {
  /// On one axis.
  struct Axis: Equatable, Sendable {
    /// E, points.
    let reach: Double
    /// How E came about.
    let reason: String
    /// Points, to each side.
    let margin: Double
  }

  let x: Axis
  let y: Axis
  private let scene: SceneDescription

  /// - Parameters:
  ///   - swing: degrees that the device is turned from neutral, either way.
  ///   - limitName: where the limit is from.
  init(
    _ scene: SceneDescription, _ motion: MotionSettings, swing: Double, limitName: String = "motion.limit"
  ) throws(UsageError) {
    self.scene = scene
    x = try Self.axis(scene, motion, gain: motion.gainX, swing, limitName)
    y = try Self.axis(scene, motion, gain: motion.gainY, swing, limitName)
  }

  private static func axis(
    _ scene: SceneDescription, _ motion: MotionSettings, gain: Double, _ swing: Double, _ limitName: String
  ) throws(UsageError) -> Axis {
    if motion.limit.isFinite {
      return Axis(
        reach: motion.limit, reason: limitName, margin: motion.limit / scene.backgroundDivisor)
    }
    let angle = swing * .pi / 180
    var reach = motion.multiplier * gain * angle
    var reason = "multiplier \(plain(motion.multiplier)) · gain \(plain(gain)) · \(plain(swing))° in rad"
    if motion.integration == .perUpdate {
      let interval = Double(motion.updateIntervalNanoseconds) / 1e9
      guard interval > 0 else {
        throw UsageError(
          "with motion.update_interval = 0 the offset depends on the sensor's rate: say how far it may come "
            + "with --limit, or set motion.update_interval to that rate's interval")
      }
      reach /= interval
      reason += " / update interval \(plain(interval)) s"
    }
    return Axis(reach: reach, reason: reason, margin: reach / scene.backgroundDivisor)
  }

  var text: String {
    let front = scene.hasFront ? 1 : 0
    let divisor = scene.backgroundDivisor
    let layers = scene.depths.count
    var text = Self.line("x", x) + Self.line("y", y)
    text += "divisor  (\(layers) layers + \(front) front + 1) · \(Self.plain(scene.distanceFactor)) = "
    text += "\(Self.plain(divisor))\n"
    text += "margin   x \(Self.enough(x.margin) { $0 >= x.margin }), "
    text += "y \(Self.enough(y.margin) { $0 >= y.margin }) points to each side\n"
    guard let bounds = scene.bounds else { return text }
    let width = Self.side(bounds.width, x.margin)
    let height = Self.side(bounds.height, y.margin)
    text += "background  \(width) x \(height) points for bounds of "
    text += "\(Self.plain(bounds.width)) x \(Self.plain(bounds.height))\n"
    return text + verdict(bounds)
  }

  private static func line(_ name: String, _ axis: Axis) -> String {
    "\(name)        up to \(plain(axis.reach)) points from neutral: \(axis.reason)\n"
  }

  /// What the scene's own background comes to.
  private func verdict(_ bounds: SceneDescription.Size) -> String {
    guard scene.background != nil else { return "" }
    let room = scene.room
    let missing = [("x", x.margin - room.width), ("y", y.margin - room.height)].filter { $0.1 > 0 }
    if missing.isEmpty { return "the scene's background is large enough\n" }
    let words = missing.map { "\(Self.lack($0.1)) on \($0.0)" }.joined(separator: ", ")
    return "the scene's background lacks \(words) to each side: it stops at its edge before\n"
  }

  /// The background's side, such that a scene with it as printed has the margin.
  private static func side(_ bounds: Double, _ margin: Double) -> String {
    // As the scene itself computes its room.
    enough(bounds + 2 * margin) { ($0 - bounds) / 2 >= margin }
  }

  private static func lack(_ points: Double) -> String { enough(points) { $0 >= points } }

  /// Three decimals at most, not below the number: what is printed is itself enough.
  private static func enough(_ number: Double, _ isEnough: (Double) -> Bool) -> String {
    // Thousandths say too little of the one, and are lost in the other: all digits.
    guard number >= 0.01, number < 1e9 else {
      var next = number
      while !isEnough(next) { next = next.nextUp }
      return next < 0.01 ? DecimalText.plain(next) : "\(next)"
    }
    var thousandths = (number * 1000).rounded()
    while !isEnough(thousandths / 1000) { thousandths += 1 }
    return plain(thousandths / 1000)
  }

  /// Three decimals at most.
  private static func plain(_ number: Double) -> String {
    number.magnitude < 0.01 && number != 0 ? "\(number)" : DecimalText.brief(number, digits: 3)
  }
}
