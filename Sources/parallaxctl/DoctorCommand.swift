import Glibc
import Linux
import Wire

/// `doctor`: looks at the machine as a person would for a bug report, says what is wrong and what mends it.
enum DoctorCommand {
  /// The command line's part.
  struct Options: Equatable, Sendable {
    /// Where to write all of it, with a recording beside it.
    var report: String?
    /// Ask for three turns instead.
    var wantsAxes = false
  }

  /// Seconds of the recording beside a report.
  private static let recordingSeconds = 2.0

  /// Throws where something is wrong, without words: they are in the output.
  static func run(socket: [String], _ options: Options) throws(CommandError) {
    if options.wantsAxes { return try AxesCommand.run(socket: socket) }
    // Before all the looking: an existing one is somebody's.
    var report: RecordingFile?
    if let path = options.report { report = try RecordingFile(path, replacing: false) }
    var facts = MachineFacts(looking: ())
    let status = DaemonVisit.visit(socket, &facts)
    let findings = Checks.findings(facts)
    let isTerminal = StandardOutput.isTerminal
    let style = Screen.style { name in getenv(name).map { String(cString: $0) } }
    let text = DoctorText(facts, findings).text(hasColour: isTerminal && style.hasColour)
    try StandardOutput.write(isTerminal && !style.hasUnicode ? PlainText.ascii(text) : text)
    if let path = options.report {
      let recording = record(socket, into: "\(path).gcsv", facts)
      let whole = DoctorReport(facts, findings, status: status, recording: recording).text
      try report?.write(Array(whole.utf8))
      try StandardOutput.writeLine("\nwritten: \(path.printable()); the recording: \(recording)")
    }
    if findings.contains(where: { $0.kind == .problem }) { throw .somethingIsWrong }
  }

  /// A short recording; what became of it, for people.
  private static func record(_ socket: [String], into path: String, _ facts: MachineFacts) -> String {
    guard facts.status != nil else { return "none, since there is no daemon" }
    var options = RecordCommand.Options()
    options.file = path
    options.seconds = recordingSeconds
    options.keepOffset = true
    do throws(CommandError) {
      return "\(path.printable()), \(try RecordCommand.record(socket: socket, options).text)"
    } catch {
      return "none: \(error.message ?? "it was ended")"
    }
  }
}
