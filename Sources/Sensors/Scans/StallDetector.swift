import Motion

/// Notices that a sensor gives one and the same scan for ever: after a wake, when it is read too fast, or
/// because nothing drives it. Pure; times are nanoseconds of the arrival. A scan costs no allocation.
///
/// A gyroscope at rest has noise, so scans that are identical bit for bit are none of a resting one. But
/// there are coarse sensors, and hubs that report nothing below some rate: those rest without a stall. What
/// tells them apart:
///
/// - Fine is a sensor whose steps are below 0.005 rad/s: by the smallest step that was seen, and until enough
///   were seen by its scale. A coarse one stalls only on a value that is motion.
/// - One that was seen to move stalls after 2 s, any other after 10 s, and after a hundred scans in any case.
/// - Three times the longest silence that ended by itself, and twice the time after each stall, are waited
///   for before it is called a stall: a hub that only rests does not flap.
package struct StallDetector: Equatable, Sendable {
  /// What was seen when the scans stood still.
  package struct Stall: Equatable, Sendable {
    package var raw: Vector3
    /// Since the first of the identical scans.
    package var nanoseconds: Int64
    /// Whether the sensor gave the same scan before it was opened anew.
    package var isOld: Bool
  }

  /// What is remembered of a sensor over its openings.
  package struct History: Equatable, Sendable {
    /// Stalls so far.
    package var stalls = 0
    /// The scan that it was opened anew for: where it is still the same, that did not help.
    package var suspect: Vector3?

    package init() {}
  }

  private static let patienceInMotion: Int64 = 2_000_000_000
  private static let patience: Int64 = 10_000_000_000
  private static let longestPatience: Int64 = 120_000_000_000
  private static let fewestScans = 100
  /// rad/s: below it there is noise at rest.
  private static let fineStep = 0.005
  /// rad/s: above it no sensor rests, whatever it does with small rates.
  private static let motion = 0.05
  /// Changes after which the smallest step is known.
  private static let enoughChanges = 8

  private let history: History
  /// rad/s per unit of raw.
  private let scale: Vector3
  private let offset: Vector3
  /// The largest of the axes' steps by the scale, rad/s.
  private let declaredStep: Double

  private var last: Vector3?
  /// Arrivals of the first and the last of the scans that are like `last`, and how many there are.
  private var since: Int64 = 0
  private var until: Int64 = 0
  private var count = 0
  private var changes = 0
  /// rad/s.
  private var smallestStep = Double.infinity
  /// The longest time without a change that ended by itself.
  private var longestQuiet: Int64 = 0

  /// Whether scans are withheld.
  package private(set) var isStalled = false

  /// - Parameter scale: rad/s per unit of raw.
  package init(scale: Vector3, offset: Vector3, history: History) {
    self.scale = Vector3(abs(scale.x), abs(scale.y), abs(scale.z))
    self.offset = offset
    self.history = history
    declaredStep = max(self.scale.x, self.scale.y, self.scale.z)
  }

  /// What is said of a stall; nil where there is none.
  package var stall: Stall? {
    guard isStalled, let last else { return nil }
    return Stall(raw: last, nanoseconds: until - since, isOld: last == history.suspect && changes == 0)
  }

  /// Whether the scan counts; one of a sensor that has stalled does not.
  @inline(__always)
  package mutating func admits(_ raw: Vector3, arrival: Int64) -> Bool {
    guard raw == last else { return change(to: raw, arrival) }
    count += 1
    until = arrival
    if !isStalled, count >= Self.fewestScans, let patience = patience(with: raw) {
      isStalled = arrival - since >= patience
    }
    return !isStalled
  }

  private mutating func change(to raw: Vector3, _ arrival: Int64) -> Bool {
    if let last {
      changes += 1
      learnStep(abs(raw.x - last.x) * scale.x)
      learnStep(abs(raw.y - last.y) * scale.y)
      learnStep(abs(raw.z - last.z) * scale.z)
      longestQuiet = max(longestQuiet, until - since)
    }
    // The scan that it was opened anew for.
    isStalled = last == nil && raw == history.suspect
    last = raw
    since = arrival
    until = arrival
    count = 1
    return !isStalled
  }

  private mutating func learnStep(_ step: Double) { if step > 0, step < smallestStep { smallestStep = step } }

  /// How long the scan may stay the same; nil: for ever.
  private func patience(with raw: Vector3) -> Int64? {
    let isKnown = changes >= Self.enoughChanges
    let isFine = (isKnown ? smallestStep : declaredStep) < Self.fineStep
    guard isFine || isMotion(raw) else { return nil }
    let patience =
      (isKnown && isFine ? Self.patienceInMotion : Self.patience) << Int64(min(history.stalls, 6))
    return min(max(patience, 3 * min(longestQuiet, Self.longestPatience)), Self.longestPatience)
  }

  private func isMotion(_ raw: Vector3) -> Bool {
    let rate = max(
      abs(raw.x + offset.x) * scale.x, abs(raw.y + offset.y) * scale.y, abs(raw.z + offset.z) * scale.z)
    return rate > max(Self.motion, 3 * declaredStep)
  }
}
