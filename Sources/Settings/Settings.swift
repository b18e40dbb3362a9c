import Motion

/// All that the configuration says, checked: one immutable value.
package struct Settings: Equatable, Sendable {
  package var sensor = SensorSettings()
  /// `[motion]`, `[tilt]`, `[calibration]`, and what `[sensor]` (axes, rotation) gives to the pipeline.
  package var motion = MotionSettings()
  /// Whether `calibration.mode` is set, to whatever: it then holds for recordings that say another.
  package var isCalibrationConfigured = false
  package var accessibility = AccessibilitySettings()
  package var server = ServerSettings()
  package var log = LogSettings()
  /// The files it was read from, in order; empty: built-in defaults and what the command line says.
  package var files: [String] = []
  /// A line for people for each setting that is set and does nothing, since another one is not set for it.
  package var withoutEffect: [String] = []

  package init() {}
}

/// `[sensor]`
package struct SensorSettings: Equatable, Sendable {
  package enum Backend: String, CaseIterable, Sendable { case iio, replay, demo }

  package enum Mode: String, CaseIterable, Sendable { case auto, buffer, poll }

  /// How fast a recording is played.
  package enum ReplaySpeed: Equatable, Sendable {
    /// Trace seconds per second, above 0; 1 is real time.
    case factor(Double)
    case max
  }

  package var backend: Backend = .iio
  /// A libiio URI; nil is the local machine.
  package var uri: String?
  /// The URI that is in use: `local:` where none is given.
  package var uriInUse: String { uri ?? "local:" }
  /// Whether libiio's local backend is asked.
  package var isOfThisMachine: Bool { uriInUse == "local:" }
  /// `label`, location, name, path or id of the device to use; nil chooses.
  package var device: String?
  package var mode: Mode = .auto
  /// Hz; nil follows from the update interval.
  package var samplingFrequency: Double?
  /// nil: what the kernel says.
  package var mountMatrix: Matrix3?
  /// Nanoseconds of scans that are dropped after the sensor is switched on.
  package var settleTimeNanoseconds: Int64 = 100_000_000
  /// Whether what one scan alone shows is taken out.
  package var glitchGuard = false
  /// Nanoseconds without a scan after which the sensor is taken to be silent.
  package var readTimeoutNanoseconds: Int64 = 2_000_000_000
  package var replayFile: String?
  package var replaySpeed: ReplaySpeed = .factor(1)
  package var replayLoop = false
  /// An explicit mapping of columns, as `--columns` takes it; checked by `Traces`.
  package var replayColumns: String?
  package var replaySkipBadRows = false

  package init() {}
}

/// `[accessibility]`
package struct AccessibilitySettings: Equatable, Sendable {
  package var reducedMotion = false
  /// What is left of the motion where it is reduced: 0 (none; the sensor sleeps) to 1.
  package var reducedMotionScale: Double = 0

  package init() {}
}

/// `[server]`
package struct ServerSettings: Equatable, Sendable {
  /// nil: root's or the user's default.
  package var socket: String?
  /// Whose members may connect; nil: the daemon's own group.
  package var group: String?
  /// Whose members may change state for others.
  package var controlGroup: String?
  /// Whether everybody who may connect may see rates.
  package var allowRate = false
  /// Whether raw scans are given at all.
  package var allowRaw = false
  /// Bytes.
  package var maxMessage = 65_536
  package var maxNesting = 16
  package var maxPipelinedCalls = 16
  package var maxConnections = 1100
  package var maxConnectionsPerUser = 256
  /// Nanoseconds in which a message that was begun must be complete.
  package var messageTimeoutNanoseconds: Int64 = 10_000_000_000
  /// Nanoseconds after which a subscriber that takes nothing is closed.
  package var clientTimeoutNanoseconds: Int64 = 10_000_000_000

  package init() {}
}

/// `[log]`
package struct LogSettings: Equatable, Sendable {
  package enum Level: String, CaseIterable, Sendable { case error, warning, info, debug }

  package var level: Level = .info

  package init() {}
}
