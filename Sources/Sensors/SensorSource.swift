import Linux
import Motion

/// A gyroscope, real or played back; the two are equals above this line.
///
/// Lives on the loop's thread; nothing here blocks. A source reports through its `SensorDelegate`, never
/// from within `start()` or `stop()` itself.
package protocol SensorSource: AnyObject {
  /// Hears of what happens; outlives the source, which does not own it.
  var delegate: (any SensorDelegate)? { get set }

  /// What is known of the sensor, open or not, for the status.
  var description: SensorDescription { get }

  /// Scans left out because the sensor had just been switched on, the last time that it was.
  var settlingDropped: Int { get }

  /// Nanoseconds that samples may come late for everybody. Where it is long a source may wake the loop less
  /// often; the samples are the same.
  var patienceNanoseconds: Int64 { get set }

  /// Whether somebody wants accelerations with the samples, where they can be had. Another value may begin a new stream.
  var wantsAcceleration: Bool { get set }

  /// Opens the sensor and lets scans come. Answers with `sensorDidOpen` or `sensorDidFail`. A source that
  /// failed goes on trying by itself until it is stopped.
  func start()

  /// Gives the sensor back as it was and lets it sleep; `stopped` is called when that has been done. No
  /// scans come from now on. A replay keeps its place and goes on from there at the next `start()`.
  func stop(_ stopped: @escaping () -> Void)
}

/// Hears of a source; always on the loop's thread.
package protocol SensorDelegate: AnyObject {
  /// The sensor is open and set up; `description.model` is final. The next sample begins a new stream.
  func sensorDidOpen(_ description: SensorDescription)

  /// The samples of one wake-up in the order in which they were taken, at least one. The memory is the
  /// source's and valid during the call only.
  func sensorDidRead(_ samples: UnsafeBufferPointer<RawSample>)

  /// The next sample begins a new stream: a lap of a replay loop.
  func sensorDidRestart()

  /// Something about an open sensor that somebody should see to, a sentence.
  func sensorDidWarn(_ text: String)

  /// No scans for now; where `retryInNanoseconds` is set the source tries again by itself.
  func sensorDidFail(_ failure: SensorFailure)

  /// The replay has played its last row.
  func sensorDidEnd()
}

/// Why there are no scans.
package struct SensorFailure: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    case noDevice, permission, busy, noData
    /// The configuration cannot work: a trace that does not read, a URI that is none.
    case configuration
  }

  package var reason: Reason
  /// One sentence for people: what, where, what to do.
  package var text: String
  /// Nanoseconds until the next attempt; nil: only a reload or a restart helps.
  package var retryInNanoseconds: Int64?

  /// - Parameter text: may quote drivers and other machines: what a terminal would obey is escaped here.
  package init(_ reason: Reason, _ text: String, retryInNanoseconds: Int64? = nil) {
    self.reason = reason
    self.text = text.printable(limit: SensorDescription.longestSentence)
    self.retryInNanoseconds = retryInNanoseconds
  }
}

/// What the status says of a sensor, and how its raw values become rates.
///
/// Its texts are those of drivers, firmware and other machines, and go to other people's terminals: whatever is
/// put in is made printable.
package struct SensorDescription: Equatable, Sendable {
  /// Characters of a sentence.
  static let longestSentence = 1000

  package var model = SensorModel()
  package var name: String? { didSet { name = name?.printable() } }
  package var label: String? { didSet { label = label?.printable() } }
  package var id: String? { didSet { id = id?.printable() } }
  package var path: String? { didSet { path = path?.printable() } }
  package var uri: String? { didSet { uri = uri?.printable() } }
  /// `buffer`, `poll` or `replay`; nil before it was open.
  package var mode: String?
  /// Why this device and why this mode, a sentence each.
  package var why: [String] = [] { didSet { why = Self.printable(why) } }
  /// Those of `why` that somebody should see to.
  package var warnings: [String] = [] { didSet { warnings = Self.printable(warnings) } }
  /// What makes the device take scans, where its buffer is read.
  var scanStart: ScanStart?
  /// Why it is polled although it has a buffer, where that may change: `busy`, `permission`,
  /// or `noData` where it was silent.
  package var bufferRefusal: SensorFailure.Reason?
  /// When it is looked whether the buffer is free by now, CLOCK_MONOTONIC.
  package var bufferRetryAtNanoseconds: Int64?
  /// Whether the same device measures acceleration too, so that others may want to read it.
  package var hasAccelerometer = false
  /// The accelerometer of the same part, `iio:device1 (accel_3d)`; nil where there is none.
  package var accelerometer: String? { didSet { accelerometer = accelerometer?.printable() } }
  /// Whether it is in the gyroscope's own device.
  var accelerometerIsOwn = false
  /// Where it is found, and how it sits.
  var accelerometerPlace: AccelerometerPlace?
  /// How its values come, while they are wanted: for people.
  package var accelerationWay: String?
  /// Whether they are in the gyroscope's scans.
  var accelerationIsInScans = false
  /// Whether a recording has accelerations.
  package var recordingHasAcceleration = false
  /// Why they do not come although they are wanted.
  package var accelerationTrouble: String? {
    didSet { accelerationTrouble = accelerationTrouble?.printable() }
  }
  /// Hz.
  package var frequencyAsked: Double?
  package var frequencySet: Double?
  /// `monotonic`, `realtime` …, `wake-up` (made at the arrival) or `trace`.
  package var clock: String? { didSet { clock = clock?.printable() } }
  /// `configuration`, `in_anglvel_mount_matrix`, `in_mount_matrix`, the same `of` another device,
  /// `ACCEL_MOUNT_MATRIX of` one, `trace`, `none`.
  package var mountMatrixFrom: String? { didSet { mountMatrixFrom = mountMatrixFrom?.printable() } }
  /// Broken rows of a trace that were left out.
  package var skippedRows: Int?
  /// What a recording says was done about the bias when it was made.
  package var recordedBias: RecordedBias?

  package init() {}

  /// °C of the part when it was opened, where it says one.
  package var temperature: Double?

  /// What tells a sensor from any other, from boot to boot, in one line: its machine, where it hangs there, and its
  /// names. Its number changes and tells it only where nothing says where it hangs. nil for a recording.
  package var lastingName: String? {
    guard let uri, let id else { return nil }
    let place = path.map { String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) } ?? id
    return [uri, place, name ?? "", label ?? ""].joined(separator: "|")
  }

  /// What tells the device from another one.
  var key: String? { path ?? id }

  /// Adds a sentence that somebody should see to.
  mutating func warn(_ text: String) {
    why.append(text)
    warnings.append(text)
  }

  private static func printable(_ sentences: [String]) -> [String] {
    sentences.map { $0.printable(limit: longestSentence) }
  }
}
