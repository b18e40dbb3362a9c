import Linux
import Settings
import Wire

/// The command line of `parallaxctl`, read and checked.
enum Command: Equatable, Sendable {
  case help(topic: String?)
  case version
  case status(json: Bool)
  case subscribe(SubscribeCommand.Options)
  case watch(WatchCommand.Options)
  case page(PageCommand.Options)
  case record(RecordCommand.Options)
  case doctor(DoctorCommand.Options)
  case recenter
  case pan(x: Double, y: Double)
  /// nil: the configuration's again.
  case reducedMotion(Bool?)
  case margin(MarginCommand.Options)
  /// Seconds; nil: the usual time.
  case calibrate(duration: Double?)
  case process(ProcessOptions)
  case plot(PlotOptions)
}

/// A command and where to find the daemon.
struct Arguments: Equatable, Sendable {
  var command: Command
  /// `--socket`
  var socket: String?

  private static let socketless = [Option("help", letter: "h"), Option("version", letter: "V")]
  private static let common = [Option("socket", letter: "s", takesValue: true)] + socketless

  /// - Parameter words: without the program's name.
  init(_ words: [String]) throws(UsageError) {
    let global = try ParsedArguments(words, options: Self.common, stopAtOperand: true)
    socket = global.value(of: "socket")
    if global.has("version") {
      command = .version
      return
    }
    guard let name = global.operands.first else {
      guard global.has("help") else {
        throw UsageError("a command is missing, such as `parallaxctl watch`; see --help")
      }
      command = .help(topic: nil)
      return
    }
    guard let topic = HelpTopic(rawValue: name) else {
      throw UsageError("unknown command \(name.shownAsWord); \(Self.hint(for: name))")
    }
    if global.has("help") {
      command = .help(topic: name)
      return
    }
    let rest = Array(global.operands.dropFirst())
    if topic == .process || topic == .plot {
      command = try Self.offline(topic, rest)
      return
    }
    let (parsed, operands) = try Self.parse(rest, of: topic)
    socket = parsed.value(of: "socket") ?? socket
    command =
      parsed.has("help") ? .help(topic: name) : try Self.command(topic, parsed, operands: operands)
  }

  /// What to type instead of a word that is no command.
  private static func hint(for word: String) -> String {
    let names = HelpTopic.allCases.map(\.rawValue)
    return NearestName.nearest(to: word, among: names).map { "did you mean \($0)? See --help" }
      ?? "the commands are \(names.joined(separator: ", "))"
  }

  /// A command that reads a recording: --socket means nothing to it.
  private static func offline(_ topic: HelpTopic, _ words: [String]) throws(UsageError) -> Command {
    // Whatever is wrong with the rest.
    if words.contains("--help") || words.contains("-h") { return .help(topic: topic.rawValue) }
    let parsed = try ParsedArguments(words, options: topic.options + socketless)
    if parsed.has("help") { return .help(topic: topic.rawValue) }
    if parsed.has("version") { return .version }
    return topic == .plot ? .plot(try PlotOptions(parsed)) : .process(try ProcessOptions(parsed))
  }

  /// Options may stand before and after the operands. A negative number is an operand, not an option.
  private static func parse(
    _ words: [String], of topic: HelpTopic
  ) throws(UsageError) -> (ParsedArguments, operands: [String]) {
    guard topic == .pan else {
      let parsed = try ParsedArguments(words, options: common + topic.options)
      return (parsed, parsed.operands)
    }
    var rest: [String] = []
    var numbers: [String] = []
    for word in words {
      let isValue = rest.last == "--socket" || rest.last == "-s"
      if Double(word) != nil, !isValue { numbers.append(word) } else { rest.append(word) }
    }
    let parsed = try ParsedArguments(rest, options: common)
    return (parsed, numbers + parsed.operands)
  }

  private static func command(
    _ topic: HelpTopic, _ parsed: ParsedArguments, operands: [String]
  ) throws(UsageError) -> Command {
    if parsed.has("version") { return .version }
    let wanted = topic == .pan ? 2 : topic == .reducedMotion || topic == .record ? 1 : 0
    if topic == .help {
      guard operands.count <= 1 else { throw UsageError("help takes one command's name") }
      if let name = operands.first, HelpTopic(rawValue: name) == nil {
        throw UsageError("no help on \(name.shownAsWord); \(hint(for: name))")
      }
      return .help(topic: operands.first)
    }
    guard operands.count == wanted else { throw UsageError("usage: parallaxctl \(topic.synopsis)") }
    switch topic {
    case .status: return .status(json: parsed.has("json"))
    case .subscribe: return .subscribe(try subscription(parsed))
    case .watch:
      return .watch(
        WatchCommand.Options(
          seconds: try parsed.value(of: "seconds").map(seconds), scene: try scene(parsed)))
    case .margin: return .margin(try margin(parsed))
    case .page: return .page(try frames(parsed))
    case .record: return .record(try recording(parsed, to: operands[0]))
    case .doctor: return .doctor(try examination(parsed))
    case .recenter: return .recenter
    case .pan: return .pan(x: try points(operands[0]), y: try points(operands[1]))
    case .reducedMotion: return .reducedMotion(try switchPosition(operands[0]))
    case .calibrate: return .calibrate(duration: try parsed.value(of: "duration").map(duration))
    case .help, .process, .plot: return .help(topic: topic.rawValue)
    }
  }

  private static func subscription(_ parsed: ParsedArguments) throws(UsageError) -> SubscribeCommand.Options {
    var options = SubscribeCommand.Options()
    options.count = try parsed.value(of: "count").map(count)
    options.seconds = try parsed.value(of: "seconds").map(seconds)
    options.wishes.rates = parsed.has("rates")
    options.wishes.tilt = parsed.has("tilt")
    options.wishes.all = parsed.has("all")
    options.wishes.minInterval = try parsed.value(of: "min-interval").map(interval)
    options.scene = try scene(parsed)
    return options
  }

  private static func frames(_ parsed: ParsedArguments) throws(UsageError) -> PageCommand.Options {
    var options = PageCommand.Options()
    options.rate = try parsed.value(of: "rate").map(rate) ?? options.rate
    options.seconds = try parsed.value(of: "seconds").map(seconds)
    options.json = parsed.has("json")
    return options
  }

  private static func recording(
    _ parsed: ParsedArguments, to file: String
  ) throws(UsageError) -> RecordCommand.Options {
    var options = RecordCommand.Options()
    options.file = try OutputName.checked(
      file, orElse: "record writes a file, such as `parallaxctl record walk.gcsv`")
    options.seconds = try parsed.value(of: "seconds").map(seconds)
    options.force = parsed.has("force")
    options.keepOffset = parsed.has("keep-offset")
    return options
  }

  private static func examination(_ parsed: ParsedArguments) throws(UsageError) -> DoctorCommand.Options {
    var options = DoctorCommand.Options()
    if let name = parsed.value(of: "report") {
      options.report = try OutputName.checked(name, orElse: "--report needs a file's name")
    }
    options.wantsAxes = parsed.has("axes")
    if options.wantsAxes, options.report != nil {
      throw UsageError("--axes and --report do not go together: one at a time")
    }
    return options
  }

  // Values

  private static func count(_ text: String) throws(UsageError) -> Int {
    guard let count = Int(text), count >= 1 else {
      throw UsageError("--count is a whole number from 1 on, not \(text.shownAsWord)")
    }
    return count
  }

  private static func seconds(_ text: String) throws(UsageError) -> Double {
    guard let seconds = Double(text), seconds > 0, seconds <= 1e9 else {
      throw UsageError("--seconds is above 0 and at most 1000000000, not \(text.shownAsWord)")
    }
    return seconds
  }

  private static func duration(_ text: String) throws(UsageError) -> Double {
    guard let seconds = Double(text), Call.calibrationSeconds.contains(seconds) else {
      throw UsageError("--duration is 2 to 60 seconds, not \(text.shownAsWord)")
    }
    return seconds
  }

  private static func rate(_ text: String) throws(UsageError) -> Double {
    guard let rate = Double(text), rate >= 0.1, rate <= 1000 else {
      throw UsageError("--rate is 0.1 to 1000 frames a second, not \(text.shownAsWord)")
    }
    return rate
  }

  private static func interval(_ text: String) throws(UsageError) -> Double {
    guard let seconds = Double(text), seconds >= 0, seconds <= 60 else {
      throw UsageError("--min-interval is 0 to 60 seconds, not \(text.shownAsWord)")
    }
    return seconds
  }

  private static func points(_ text: String) throws(UsageError) -> Double {
    guard let points = Double(text), points.magnitude <= Call.maxPan else {
      let most = DecimalText.fixed(Call.maxPan, digits: 0)
      throw UsageError("pan takes two numbers from -\(most) to \(most), not \(text.shownAsWord)")
    }
    return points
  }

  private static func switchPosition(_ text: String) throws(UsageError) -> Bool? {
    switch text {
    case "on": return true
    case "off": return false
    case "default": return nil
    default:
      throw UsageError("reduced-motion is on, off or default, not \(text.shownAsWord)")
    }
  }
}
