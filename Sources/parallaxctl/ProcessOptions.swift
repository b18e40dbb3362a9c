import Linux
import Settings

/// The command line of `process`.
struct ProcessOptions {
  enum Format: String, CaseIterable { case csv, jsonl }

  var wantsHelp = false
  var wantsVersion = false
  var trace = ""
  /// nil: the built-in settings.
  var config: String?
  /// `section.key=value`, in order.
  var overrides: [String] = []
  /// nil: the format is told from the content.
  var columns: String?
  var skipBadRows = false
  var format: Format = .csv
  /// nil: standard output.
  var output: String?

  private static let known = [
    Option("config", letter: "c", takesValue: true), Option("set", takesValue: true),
    Option("columns", takesValue: true), Option("skip-bad-rows"),
    Option("format", letter: "f", takesValue: true), Option("output", letter: "o", takesValue: true),
    Option("help", letter: "h"), Option("version", letter: "V"),
  ]

  init(_ words: [String]) throws(UsageError) {
    let parsed = try ParsedArguments(words, options: Self.known)
    if parsed.has("help") {
      wantsHelp = true
      return
    }
    if parsed.has("version") {
      wantsVersion = true
      return
    }
    guard parsed.operands.count == 1, let trace = parsed.operands.first else {
      throw UsageError(
        parsed.operands.isEmpty
          ? "process needs a trace, such as `parallaxctl process walk.gcsv`; see process --help"
          : "process reads one trace, not \(parsed.operands.count); see process --help")
    }
    if trace == "-" {
      throw UsageError("process reads a file, not standard input; write the rows to a file first")
    }
    self.trace = trace
    config = parsed.value(of: "config")
    overrides = parsed.options.filter { $0.name == "set" }.map { $0.value }
    for word in overrides {
      if let fault = Settings.fault(inOverride: word) { throw UsageError(fault) }
    }
    columns = parsed.value(of: "columns")
    skipBadRows = parsed.has("skip-bad-rows")
    if let name = parsed.value(of: "format") {
      guard let format = Format(rawValue: name) else { throw UsageError("--format is csv or jsonl") }
      self.format = format
    }
    output = parsed.value(of: "output")
  }

  static let help = """
    Usage: parallaxctl process TRACE [OPTION]…

    Runs a recording through the daemon's own pipeline, as fast as it goes, and writes the offsets: one row
    per event, with the columns sequence, timestamp_ns, x, y and gap. Needs no daemon and no sensor. The
    settings are the built-in defaults unless --config or --set says otherwise.

    The format is told from the content: Gyroflow .gcsv, EuRoC data.csv, phyphox, Sensor Logger, and plain
    tables with a header "timestamp_ns,x,y,z" (ns) or "t,x,y,z" (s), rates in rad/s. Of any other table,
    --columns says what is where.

      -c, --config FILE        the settings of this file
          --set SECTION.KEY=VALUE
                               one setting; may be repeated, the last one counts
          --columns MAPPING    which columns to read, by the header's names or numbers from 1, each with
                               its unit: time in ns, us, ms, s or a multiple (20ms: a counter of 20 ms
                               steps); rates in rad/s, deg/s or lsb=FACTOR (rad/s per LSB)
          --skip-bad-rows      leaves broken rows out and says how many, instead of stopping at the first
      -f, --format csv|jsonl   rows, or one JSON object a line
      -o, --output FILE        into a file, not to standard output
      -h, --help               this text
      -V, --version            the version

    On a terminal it ends with a line on standard error: rows, time, events. A time in a wrong unit shows there.

    Examples:
      parallaxctl process walk.gcsv > offsets.csv
      parallaxctl process imu.csv --columns 't=Time_ms:ms,x=GX:deg/s,y=GY:deg/s,z=GZ:deg/s'
      parallaxctl process raw.txt --columns 't=1:10ms,x=2:rad/s,y=3:rad/s,z=4:rad/s'
      parallaxctl process walk.gcsv --set motion.threshold=0.05 --format jsonl | head

    Exit: 0 on success, 1 where the trace or the output fails, 2 wrong usage, 78 wrong configuration.

    """
}
