import Linux
import Plot

/// The command line of `plot`.
struct PlotOptions: Equatable, Sendable {
  var trace = TraceOptions()
  /// Instead of a trace, the demonstration.
  var demo = false
  var output = ""
  var format = PictureFormat.svg
  var size = PictureSize.standard
  /// Seconds since the first sample that are drawn.
  var window = 0...Double.infinity

  /// Seconds of the demonstration, where nothing else is asked for: it repeats itself every twelve.
  static let demonstrationLength = 24.0
  /// Of the demonstration, which never ends.
  private static let longestDemonstration = 3600.0
  private static let latest = 1e9

  static let known =
    TraceOptions.known + [
      Option("output", letter: "o", takesValue: true), Option("size", takesValue: true),
      Option("from", takesValue: true), Option("to", takesValue: true), Option("demo"),
    ]

  init() {}

  init(_ parsed: ParsedArguments) throws(UsageError) {
    demo = parsed.has("demo")
    trace = try TraceOptions(
      parsed, command: "plot", example: "parallaxctl plot walk.gcsv -o walk.svg", needsTrace: !demo)
    let output = try OutputName.checked(
      parsed.value(of: "output") ?? "",
      orElse: "plot needs a file for the picture, such as -o walk.svg or -o walk.png")
    guard let format = PictureFormat(fileName: output) else {
      throw UsageError(
        "\(output.printable()): the picture's name ends in .svg or .png, which says what it becomes")
    }
    (self.output, self.format) = (output, format)
    if let text = parsed.value(of: "size") {
      guard let size = PictureSize(text) else {
        let (widths, heights) = (PictureSize.widths, PictureSize.heights)
        throw UsageError(
          "--size is WIDTHxHEIGHT in pixels, \(widths.lowerBound) to \(widths.upperBound) by "
            + "\(heights.lowerBound) to \(heights.upperBound), such as 1600x1000; not \(text.shownAsWord)")
      }
      self.size = size
    }
    window = try Self.window(parsed, demo: demo)
  }

  private static func window(
    _ parsed: ParsedArguments, demo: Bool
  ) throws(UsageError) -> ClosedRange<Double> {
    let from =
      try parsed.value(of: "from").map { (text) throws(UsageError) in try seconds(text, "--from") } ?? 0
    let to = try parsed.value(of: "to").map { (text) throws(UsageError) in try seconds(text, "--to") }
    let end = to ?? (demo ? from + demonstrationLength : .infinity)
    guard from < end else { throw UsageError("--to is later than --from") }
    guard !demo || end <= longestDemonstration else {
      throw UsageError("--demo is drawn up to --to \(Int(longestDemonstration)) at most")
    }
    return from...end
  }

  private static func seconds(_ text: String, _ option: String) throws(UsageError) -> Double {
    guard let seconds = Double(text), seconds >= 0, seconds <= latest else {
      throw UsageError(
        "\(option) is a time in seconds since the first sample, 0 to \(Int(latest)), not \(text.shownAsWord)")
    }
    return seconds
  }

  static let help = """
    Usage: parallaxctl plot TRACE -o FILE [OPTION]…
           parallaxctl plot --demo -o FILE [OPTION]…

    Draws what process computes: the rates about x, y and z in the picture's frame,
    with the band of the threshold and the bias that was taken off them; the offset
    over time, with a mark for each update, gaps shaded and dropped samples counted;
    and the offset's path in the plane. FILE ends in .svg or .png; an existing one
    is replaced, once the new picture is whole. Needs no daemon and no sensor.
    Recordings are read as process does, see process --help; a long one is drawn by
    its least and greatest values in each column of pixels.

      -o, --output FILE        the picture
          --size WIDTHxHEIGHT  in pixels, 480 to 4096 by 360 to 4096 (1600x1000)
          --from SECONDS       draws from this time on, counted from the first
                               sample; what was before is computed all the same
          --to SECONDS         and to this time
          --demo               the synthetic demonstration, 24 s of it or to --to,
                               instead of a recording
    \(TraceOptions.help)
      -h, --help               this text
      -V, --version            the version

    Examples:
      parallaxctl plot walk.gcsv -o walk.svg
      parallaxctl plot walk.gcsv -o turn.png --from 12 --to 15 --size 1200x800
      parallaxctl plot imu.csv -o imu.svg --columns 't=Time_ms:ms,x=GX:deg/s,y=GY:deg/s,z=GZ:deg/s'
      parallaxctl plot --demo -o demonstration.svg --set motion.threshold=0.2

    Exit: 0 on success, 1 where the trace or the picture fails, 2 wrong usage, 78
    wrong configuration.

    """
}
