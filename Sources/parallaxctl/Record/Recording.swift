import Glibc
import Linux
import Motion
import Traces
import Wire

/// A recording that grows: the header at the first scan, then rows.
struct Recording: ~Copyable {
  /// What is in it so far.
  struct Summary: Equatable {
    var samples = 0
    var first: Int64 = 0
    var last: Int64 = 0

    /// Of sample time.
    var seconds: Double { Double(last.subtractingReportingOverflow(first).partialValue) / 1e9 }

    var hertz: Double { samples > 1 && seconds > 0 ? Double(samples - 1) / seconds : 0 }

    var text: String {
      "\(samples.counted("sample")) in \(DecimalText.fixed(seconds, digits: 2)) s, "
        + "\(DecimalText.fixed(hertz, digits: 1)) Hz"
    }
  }

  /// What is in the file.
  private(set) var summary = Summary()
  /// The same, with what is not written yet.
  private(set) var taken = Summary()
  /// As many seconds as were asked for are in it.
  private(set) var isComplete = false
  private var file: RecordingFile
  private var text = RecordingText()
  private var header: RawHeader?
  /// Whether the daemon has given what was asked for.
  var hasHeader: Bool { header != nil }
  private var lastFlush: Int64 = 0

  /// Bytes that are kept in memory at most, and nanoseconds for which they are.
  private static let flushBytes = 65_536
  private static let flushNanoseconds: Int64 = 1_000_000_000
  /// What is said, and written into the file, where the stream was not begun anew.
  static let midStreamNote =
    "live offsets are not reproduced from this recording: it begins in the midst of a stream; root and members "
    + "of server.control_group begin one anew with `parallaxctl record`"
  /// What a row's time may be; others the pipeline drops without a trace, and no reader takes.
  private static let times: ClosedRange<Int64> = -(1 << 62)...(1 << 62)

  init(file: consuming RecordingFile) { self.file = file }

  /// A header has come: of another stream, where there are scans already.
  mutating func begin(_ header: RawHeader) throws(CommandError) {
    guard taken.samples == 0 else {
      throw CommandError(
        ExitCode.failure,
        "the stream began anew: the sensor was opened again, a replay began its next lap, the settings were "
          + "read again, the bias was calibrated, or another recording began. The recording ends before that, "
          + "and is good so far")
    }
    self.header = header
  }

  /// Takes a batch.
  ///
  /// - Parameter seconds: of samples that are wanted; later ones are left out.
  mutating func append(_ scans: [RawScan], dropped: Int64, seconds: Double?) throws(CommandError) {
    guard let header else {
      throw CommandError(ExitCode.failure, "scans came before their header: no parallaxd")
    }
    guard dropped == 0 || taken.samples == 0 else {
      throw CommandError(
        ExitCode.failure,
        "\(dropped) scans were lost, since this machine was too slow to write them. The recording ends "
          + "before that, and is good so far")
    }
    let length = seconds.map { Int64($0 * 1e9) }
    for scan in scans where Self.times.contains(scan.timestampNanoseconds) {
      if taken.samples == 0 {
        taken.first = scan.timestampNanoseconds
        appendHeader(header)
      }
      if let length, scan.timestampNanoseconds &- taken.first > length {
        isComplete = true
        return
      }
      taken.samples += 1
      taken.last = scan.timestampNanoseconds
      text.append(
        RawSample(timestampNanoseconds: scan.timestampNanoseconds, raw: Vector3(scan.x, scan.y, scan.z)))
    }
    if text.bytes.count >= Self.flushBytes { try flush() }
  }

  /// Writes what is in memory, where it has been there for a while.
  mutating func flush(at now: Int64) throws(CommandError) {
    guard now - lastFlush >= Self.flushNanoseconds else { return }
    lastFlush = now
    try flush()
  }

  mutating func flush() throws(CommandError) {
    // What cannot be written now is not tried again.
    defer { text.removeAll() }
    do throws(CommandError) {
      try file.write(text.bytes)
      summary = taken
    } catch {
      taken = summary
      throw error
    }
  }

  private mutating func appendHeader(_ header: RawHeader) {
    func vector(_ numbers: [Double], at start: Int = 0) -> Vector3 {
      Vector3(numbers[start], numbers[start + 1], numbers[start + 2])
    }
    let model = SensorModel(
      scale: vector(header.scale), offset: vector(header.offset),
      mountMatrix: Matrix3(
        rows: vector(header.matrix), vector(header.matrix, at: 3), vector(header.matrix, at: 6)),
      nominalFrequency: header.frequency ?? 0, noDataMark: header.noData)
    var sensor = RecordedSensor()
    sensor.name = header.name
    sensor.label = header.label
    sensor.path = header.path
    sensor.clock = header.clock
    if header.midStream { sensor.note = Self.midStreamNote }
    sensor.bias = vector(header.bias)
    sensor.biasVariance = header.biasVariance
    text.appendHeader(model, of: sensor, version: parallaxVersion, time: Int64(time(nil)))
  }
}
