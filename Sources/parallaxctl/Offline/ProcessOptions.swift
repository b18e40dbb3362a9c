import Linux

/// The command line of `process`.
struct ProcessOptions: Equatable, Sendable {
  enum Format: String, CaseIterable, Sendable { case csv, jsonl }

  var trace = TraceOptions()
  /// Whether the tilt is written too.
  var wantsTilt = false
  var format: Format = .csv
  /// nil: standard output.
  var output: String?
  /// Where the bias goes that is taken off; nil: nowhere.
  var estimates: String?

  static let known =
    TraceOptions.known + [
      Option("format", letter: "f", takesValue: true), Option("output", letter: "o", takesValue: true),
      Option("tilt"), Option("estimates", takesValue: true),
    ]

  init() {}

  init(_ parsed: ParsedArguments) throws(UsageError) {
    trace = try TraceOptions(parsed, command: "process", example: "parallaxctl process walk.gcsv")
    wantsTilt = parsed.has("tilt")
    if let name = parsed.value(of: "format") {
      guard let format = Format(rawValue: name) else { throw UsageError("--format is csv or jsonl") }
      self.format = format
    }
    if let name = parsed.value(of: "output"), name != OutputName.standardOutput {
      output = try OutputName.checked(name, orElse: "--output needs a file's name")
    }
    if let name = parsed.value(of: "estimates") {
      estimates = try OutputName.checked(name, orElse: "--estimates needs a file's name")
    }
    if let estimates, estimates == output {
      throw UsageError("--output and --estimates are two files, not one")
    }
  }

  static let help = """
    Usage: parallaxctl process TRACE [OPTION]…

    Runs a recording through the daemon's own pipeline, as fast as it goes, and
    writes the offsets: one row per event, with the columns sequence, timestamp_ns,
    x, y and gap. Needs no daemon and no sensor. The settings are the built-in
    defaults unless --config or --set says otherwise.

    The format is told from the content: Gyroflow .gcsv, EuRoC data.csv, phyphox,
    Sensor Logger, and plain tables with a header "timestamp_ns,x,y,z" (ns) or
    "t,x,y,z" (s), rates in rad/s. Of any other table, --columns says what is where.

    \(TraceOptions.help)
          --tilt               with the columns tilt_x and tilt_y, -1 to 1;
                               accelerations in the recording steady it
      -f, --format csv|jsonl   rows, or one JSON object a line
      -o, --output FILE        into a file, not to standard output; - is standard
                               output
          --estimates FILE     the bias that is taken off, rad/s in the sensor's own
                               frame, with its confidence: a row where it begins and
                               at each change
      -h, --help               this text
      -V, --version            the version

    On a terminal it ends with a line on standard error: rows, time, events. A time
    in a wrong unit shows there.

    Examples:
      parallaxctl process walk.gcsv > offsets.csv
      parallaxctl process imu.csv --columns 't=Time_ms:ms,x=GX:deg/s,y=GY:deg/s,z=GZ:deg/s'
      parallaxctl process raw.txt --columns 't=1:10ms,x=2:rad/s,y=3:rad/s,z=4:rad/s'
      parallaxctl process walk.gcsv --set motion.threshold=0.05 --format jsonl | head

    Exit: 0 on success, 1 where the trace or the output fails, 2 wrong usage, 78
    wrong configuration.

    """
}
