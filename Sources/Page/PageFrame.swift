import CPage

/// One record of the shared page. Its fields are those of the C header, which is the contract: points to the
/// right and up, points per second, rad/s, nanoseconds.
package typealias PageFrame = parallax_frame

extension PageFrame {
  package var isRunning: Bool { flags & Self.running != 0 }
  package var hasReducedMotion: Bool { flags & Self.reducedMotion != 0 }
  package var hasRate: Bool { flags & Self.hasRateFlag != 0 }
  package var hasTilt: Bool { flags & Self.hasTiltFlag != 0 }

  /// `running`, as events on the socket name it; `unknown` for one of a newer daemon.
  package var stateToken: String { String(cString: parallax_state_token(flagsByte(at: 8))) }

  /// `no-device`; nil where there is none.
  package var reasonToken: String? { parallax_reason_token(flagsByte(at: 16)).map { String(cString: $0) } }

  /// Where the content belongs at a time of CLOCK_MONOTONIC, if it goes on moving as it did; not more than
  /// 50 ms ahead of the record.
  package func extrapolated(toNanoseconds time: Int64) -> (x: Double, y: Double) {
    var x = 0.0
    var y = 0.0
    withUnsafePointer(to: self) { parallax_extrapolate($0, time, &x, &y) }
    return (x, y)
  }

  /// Says what the daemon does: tokens of `MotionState` and `StateReason` by their numbers in the header.
  package mutating func setState(_ state: parallax_state, _ reason: parallax_reason, reducedMotion: Bool) {
    flags &= ~(Self.running | Self.reducedMotion | 0xffff00)
    flags |= UInt64(state.rawValue) << 8 | UInt64(reason.rawValue) << 16
    if state == PARALLAX_STATE_RUNNING { flags |= Self.running }
    if reducedMotion { flags |= Self.reducedMotion }
  }

  /// - Parameter rate: rad/s; nil: the page does not say.
  package mutating func setRate(_ rate: (x: Double, y: Double, z: Double)?) {
    flags &= ~Self.hasRateFlag
    rate_x = rate?.x ?? 0
    rate_y = rate?.y ?? 0
    rate_z = rate?.z ?? 0
    if rate != nil { flags |= Self.hasRateFlag }
  }

  /// - Parameter tilt: −1 to 1; nil: the page does not say.
  package mutating func setTilt(_ tilt: (x: Double, y: Double)?) {
    flags &= ~Self.hasTiltFlag
    tilt_x = tilt?.x ?? 0
    tilt_y = tilt?.y ?? 0
    if tilt != nil { flags |= Self.hasTiltFlag }
  }

  private func flagsByte(at shift: UInt64) -> UInt32 { UInt32(flags >> shift & 0xff) }

  // Swift does not see macros with casts in them; a test holds these against the header.
  static let running: UInt64 = 1
  static let reducedMotion: UInt64 = 2
  static let hasRateFlag: UInt64 = 4
  static let hasTiltFlag: UInt64 = 8
}
