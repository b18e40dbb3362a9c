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
    var report: ReportFile?
    if let path = options.report {
      report = try ReportFile(path)
      try ReportFile.demandNone(recordingPath(path))
    }
    var facts = MachineFacts(looking: ())
    let status = DaemonVisit.visit(socket, &facts)
    let findings = Checks.findings(facts)
    let isTerminal = StandardOutput.isTerminal
    let style = Screen.style(Environment.value)
    let text = DoctorText(facts, findings).text(hasColour: isTerminal && style.hasColour)
    try StandardOutput.write(isTerminal && !style.hasUnicode ? PlainText.ascii(text) : text)
    if let report {
      let recording = record(socket, report.path, facts)
      try report.write(DoctorReport(facts, findings, status: status, recording: recording).text)
      try StandardOutput.writeLine("\nwritten: \(report.path.printable()); the recording: \(recording)")
    }
    if findings.contains(where: { $0.kind == .problem }) { throw .somethingIsWrong }
  }

  /// Beside a report.
  private static func recordingPath(_ report: String) -> String { "\(report).gcsv" }

  /// A short recording; what became of it, for people.
  private static func record(_ socket: [String], _ report: String, _ facts: MachineFacts) -> String {
    guard case .answers = facts.daemon else { return "none, since there is no daemon that answers" }
    var options = RecordCommand.Options()
    options.file = recordingPath(report)
    options.seconds = recordingSeconds
    options.keepOffset = true
    let name = options.file.printable()
    var kept: Recording.Summary?
    do throws(CommandError) {
      return "\(name), \(try RecordCommand.record(socket: socket, options, tell: { kept = $0 }).text)"
    } catch {
      // Root need not be told what root may do.
      if error.code == ExitCode.refused, facts.user.id != 0 {
        return "none, since raw scans are for root and the control group, unless server.allow_raw = true: "
          + "`sudo parallaxctl doctor --report \(report.printable())`"
      }
      let reason = error.message ?? "it was ended"
      return kept.map { "\(name), \($0.text): \(reason)" } ?? "none: \(reason)"
    }
  }
}
