/// The reply of `GetStatus`. Every field is named in the interface description; a field that does not
/// apply is null. On the wire the names are in snake case (`frequencyAsked` is `frequency_asked`).
package struct Status: Decodable, Equatable, Sendable {
  /// The sensor, as far as it is known.
  package struct Sensor: Decodable, Equatable, Sendable {
    /// `iio`, `replay` or `demo`.
    package var backend: String
    package var name: String?
    package var label: String?
    package var id: String?
    package var path: String?
    package var uri: String?
    /// `buffer`, `poll` or `replay`; null before the sensor was ever opened.
    package var mode: String?
    /// Why this device, and why this mode: one sentence each.
    package var why: [String] = []
    /// Hz.
    package var frequencyAsked: Double?
    package var frequencySet: Double?
    package var frequencyMeasured: Double?
    /// `monotonic`, `realtime`, … or `trace`.
    package var clock: String?
    /// rad/s per LSB, x, y, z.
    package var scale: [Double]?
    /// Nine numbers by rows.
    package var mountMatrix: [Double]?
    package var mountMatrixFrom: String?
    /// Rows of a trace left out as broken.
    package var skippedRows: Int?

    package init(backend: String) { self.backend = backend }
  }

  /// Which files the settings are from.
  package struct Configuration: Decodable, Equatable, Sendable {
    package var files: [String] = []
    /// Seconds since the epoch.
    package var loadedAt: Int64 = 0
    /// Why the last reload was refused; the settings before it are in force.
    package var lastError: String?
    /// The scenes that a subscriber can ask for by name; nil from a daemon that knows no scenes.
    package var scenes: [String]?
    package init() {}
  }

  /// A setting in force.
  package struct Setting: Decodable, Equatable, Sendable {
    /// `section.key`
    package var name: String
    /// As it would stand in the configuration file; null: infinite, that is, without a limit.
    package var value: String?
    package init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// Counts since the daemon's start, but for `settling`.
  package struct Counters: Decodable, Equatable, Sendable {
    package var samples: Int64 = 0
    package var updates: Int64 = 0
    package var invalid: Int64 = 0
    package var outOfOrder: Int64 = 0
    package var clockSteps: Int64 = 0
    /// Silences longer than the gap limit while the sensor was on.
    package var gaps: Int64 = 0
    /// Scans left out because the sensor had just been switched on.
    package var settling: Int64 = 0
    package var wakeups: Int64 = 0
    package var eventsSent: Int64 = 0
    package var dropped: Int64 = 0
    package init() {}
  }

  package var version: String = ""
  package var state: MotionState = .idle
  package var reason: StateReason?
  /// One sentence for people.
  package var text: String = ""
  /// Seconds until the sensor is tried again.
  package var retryIn: Double?
  package var reducedMotion = false
  package var sensor: Sensor
  package var configuration = Configuration()
  package var settings: [Setting] = []
  /// rad/s, x, y, z.
  package var bias: [Double] = [0, 0, 0]
  /// 0…1; null where no bias is estimated.
  package var biasConfidence: Double?
  /// What the tilt is made of, and why; nil from a daemon that knows no tilt.
  package var tilt: String?
  package var counters = Counters()
  package var subscribers = 0
  package var connections = 0
  /// Connections that have a page open; they count as subscribers. nil from a daemon that knows no page.
  package var pages: Int?

  package init(backend: String) { sensor = Sensor(backend: backend) }
}
