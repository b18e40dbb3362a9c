import Linux
import Settings

/// How a recording is read and with which settings it is computed: the part of the command line that `process` and
/// `plot` share.
struct TraceOptions: Equatable, Sendable {
  /// Path of the recording.
  var trace = ""
  /// nil: the built-in settings.
  var config: String?
  /// `section.key=value`, in order.
  var overrides: [String] = []
  /// nil: the format is told from the content.
  var columns: String?
  var skipBadRows = false

  static let known = [
    Option("config", letter: "c", takesValue: true), Option("set", takesValue: true),
    Option("columns", takesValue: true), Option("skip-bad-rows"),
  ]

  init() {}

  /// - Parameters:
  ///   - command: its name.
  ///   - example: the command as it could be typed.
  ///   - needsTrace: false where something else is read.
  init(
    _ parsed: ParsedArguments, command: String, example: String, needsTrace: Bool = true
  ) throws(UsageError) {
    // An empty name is none.
    let operands = parsed.operands == [""] ? [] : parsed.operands
    guard operands.count == (needsTrace ? 1 : 0) else {
      if !needsTrace { throw UsageError("\(command) --demo reads no file: leave the trace out") }
      throw UsageError(
        operands.isEmpty
          ? "\(command) needs a trace, such as `\(example)`; see \(command) --help"
          : "\(command) reads one trace, not \(operands.count); see \(command) --help")
    }
    trace = operands.first ?? ""
    if trace == "-" {
      throw UsageError("\(command) reads a file, not standard input; write the rows to a file first")
    }
    config = parsed.value(of: "config")
    overrides = parsed.options.filter { $0.name == "set" }.map { $0.value }
    for word in overrides {
      if let fault = Settings.fault(inOverride: word) { throw UsageError(fault) }
    }
    columns = parsed.value(of: "columns")
    skipBadRows = parsed.has("skip-bad-rows")
  }

  /// Of the help texts.
  static let help = """
      -c, --config FILE        the settings of this file
          --set SECTION.KEY=VALUE
                               one setting; may be repeated, the last one counts
          --columns MAPPING    which columns to read, by the header's names or
                               numbers from 1, each with its unit: time in ns, us,
                               ms, s or a multiple (20ms: a counter of 20 ms steps);
                               rates in rad/s, deg/s or lsb=FACTOR (rad/s per LSB);
                               for the tilt perhaps ax, ay and az in m/s2, g or
                               lsb=FACTOR
          --skip-bad-rows      leaves broken rows out and says how many, instead of
                               stopping at the first
    """
}
