/// Everything that `motion.md` calls a setting of the pipeline; the defaults are DVParallaxView's rule.
///
/// Ranges are checked where settings are read (`Settings`); the pipeline trusts them.
package struct MotionSettings: Equatable, Sendable {
  /// Whether an update moves the content by a rate or by an angle (step 7).
  package enum Integration: String, CaseIterable, Sendable {
    case perUpdate = "per-update"
    case angle
  }

  /// Which rate that is, of the samples since the last update.
  package enum SampleChoice: String, CaseIterable, Sendable { case mean, latest }

  /// How the dead zone ends (`passed`).
  package enum DeadZone: String, CaseIterable, Sendable { case hard, soft }

  /// Where the bias comes from: found at rest, `bias`, or none.
  package enum BiasMode: String, CaseIterable, Sendable { case auto, fixed, off }

  /// How the limit is met (`OffsetBound`).
  package enum LimitMode: String, CaseIterable, Sendable { case clamp, elastic }

  /// T, nanoseconds; 0: every sample is an update.
  package var updateIntervalNanoseconds: Int64 = 30_000_000
  /// Nanoseconds.
  package var maxGapNanoseconds: Int64 = 250_000_000
  /// θ, rad/s.
  package var threshold: Double = 0.1
  package var deadZone: DeadZone = .hard
  /// ρ, rad/s; of the soft dead zone.
  package var thresholdRecovery: Double = 0.2
  /// Points per (rad/s) per update; with `.angle` points per radian.
  package var multiplier: Double = Self.multiplierPerUpdate
  package var gainX: Double = 1
  package var gainY: Double = 1
  package var invertX = false
  package var invertY = false
  /// τ of the low pass, seconds; 0: off.
  package var smoothing: Double = 0
  package var integration: Integration = .perUpdate
  package var sample: SampleChoice = .mean
  /// Points per update and axis; may be infinite.
  package var maxStep: Double = .infinity
  /// L, points; may be infinite.
  package var limit: Double = .infinity
  package var limitMode: LimitMode = .clamp
  /// τ of the decay towards neutral, seconds; 0: off.
  package var recenterTime: Double = 0
  /// A: which input axis each output axis takes, and its sign.
  package var axes = Matrix3.identity
  /// R: degrees that the picture is turned counter-clockwise on the panel: 0, 90, 180 or 270.
  package var screenRotation = 0
  /// Where the bias comes from.
  package var biasMode: BiasMode = .auto
  /// Of `.fixed`: rad/s in the sensor's own frame, subtracted after the scale.
  package var bias = Vector3.zero
  /// Of `.auto`: the most that is taken for a bias, rad/s per axis.
  package var maxBias: Double = 0.2
  /// Step 4.
  package var tilt = TiltSettings()

  /// The default multiplier of `.perUpdate`: DVParallaxView's points per (rad/s) per update.
  package static let multiplierPerUpdate: Double = 2.5
  /// The default multiplier of `.angle`, points per radian: the same picture speed as the rule has at its
  /// default interval.
  package static let multiplierPerRadian: Double = 2.5 / 0.03

  package init() {}
}
