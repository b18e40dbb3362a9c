import Linux
import Motion

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

  /// °C of the part when it was opened, where it says one.
  package var temperature: Double?

  package init() {}

  /// What tells a sensor from any other, from boot to boot, in one line: its machine, where it hangs there, and its
  /// names. Its number changes and tells it only where nothing says where it hangs. nil for a recording.
  package var lastingName: String? {
    guard let uri, let id else { return nil }
    let place = GyroscopeIdentity(id: id, path: path).folder ?? id
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
