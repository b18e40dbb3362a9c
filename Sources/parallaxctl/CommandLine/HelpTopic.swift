import Linux

/// The commands by name, their options and what is told about them.
enum HelpTopic: String, CaseIterable, Sendable {
  case status, subscribe, watch, page, recenter, pan
  case reducedMotion = "reduced-motion"
  case calibrate, record, doctor, margin, process, plot, help

  /// Beside those that every command has.
  var options: [Option] {
    switch self {
    case .status: [Option("json", letter: "j")]
    case .subscribe:
      [
        Option("count", letter: "n", takesValue: true), Option("seconds", takesValue: true),
        Option("rates", letter: "r"), Option("tilt", letter: "t"), Option("all", letter: "a"),
        Option("min-interval", letter: "i", takesValue: true), Option("scene", takesValue: true),
      ]
    case .watch: [Option("seconds", takesValue: true), Option("scene", takesValue: true)]
    case .margin:
      [
        Option("scene", takesValue: true), Option("layers", takesValue: true), Option("front"),
        Option("distance-factor", takesValue: true), Option("bounds", takesValue: true),
        Option("limit", takesValue: true), Option("swing", takesValue: true),
        Option("config", letter: "c", takesValue: true), Option("set", takesValue: true),
      ]
    case .page:
      [
        Option("rate", letter: "r", takesValue: true), Option("seconds", takesValue: true),
        Option("json", letter: "j"),
      ]
    case .record:
      [Option("seconds", takesValue: true), Option("force", letter: "f"), Option("keep-offset")]
    case .calibrate: [Option("duration", takesValue: true)]
    case .doctor: [Option("report", takesValue: true), Option("axes")]
    case .process: ProcessOptions.known
    case .plot: PlotOptions.known
    case .recenter, .pan, .reducedMotion, .help: []
    }
  }

  var synopsis: String {
    switch self {
    case .status: "status [--json]"
    case .subscribe: "subscribe [OPTION]…"
    case .watch: "watch [OPTION]…"
    case .margin: "margin [OPTION]…"
    case .page: "page [OPTION]…"
    case .recenter: "recenter"
    case .pan: "pan X Y"
    case .reducedMotion: "reduced-motion on|off|default"
    case .calibrate: "calibrate [--duration SECONDS]"
    case .record: "record [OPTION]… FILE"
    case .doctor: "doctor [--report FILE | --axes]"
    case .process: "process TRACE [OPTION]…"
    case .plot: "plot TRACE -o FILE [OPTION]…"
    case .help: "help [COMMAND]"
    }
  }

  /// The whole help of one command.
  var text: String {
    // Beside the options that they share.
    if self == .process { return ProcessOptions.help }
    if self == .plot { return PlotOptions.help }
    return "Usage: parallaxctl [--socket PATH] \(synopsis)\n\n\(explanation)\n"
  }
}
