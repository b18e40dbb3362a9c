import CLinux
import Glibc
import Linux
import Wire

@main
struct Main {
  static func main() {
    // Before anything else gets a descriptor.
    _ = clinux_reserve_standard_descriptors()
    StandardOutput.takeErrorsForSignals()
    exit(run())
  }

  /// Runs the command line; the exit code.
  private static func run() -> Int32 {
    do throws(CommandError) {
      let arguments = try CommandError.wrap(ExitCode.usage) { () throws(UsageError) in
        try Arguments(try ParsedArguments.ofProgram())
      }
      try run(arguments)
      return ExitCode.success
    } catch {
      if let message = error.message { StandardOutput.complain(message) }
      return error.code
    }
  }

  private static func run(_ arguments: Arguments) throws(CommandError) {
    let socket = SocketSearch.candidates(option: arguments.socket, environment: Environment.value)
    switch arguments.command {
    case .help(let topic):
      let text = topic.flatMap(HelpTopic.init(rawValue:))?.text ?? HelpTopic.overview
      try StandardOutput.writeHelp(text)
    case .version: try StandardOutput.writeLine("parallaxctl \(parallaxVersion)")
    case .status(let json): try ControlCommands.status(socket: socket, json: json)
    case .subscribe(let options): try SubscribeCommand.run(socket: socket, options)
    case .watch(let options):
      var watch = try WatchCommand(socket: socket, options)
      try watch.run(environment: Environment.value)
    case .page(let options):
      var page = try PageCommand(socket: socket, options)
      try page.run()
    case .record(let options): try RecordCommand.run(socket: socket, options)
    case .doctor(let options): try DoctorCommand.run(socket: socket, options)
    case .recenter: try ControlCommands.change(socket: socket, Calls.recenter)
    case .pan(let x, let y): try ControlCommands.pan(socket: socket, x: x, y: y)
    case .reducedMotion(let enabled):
      try ControlCommands.change(socket: socket, Calls.setReducedMotion(enabled))
    case .calibrate(let duration): try CalibrateCommand.run(socket: socket, duration: duration)
    case .margin(let options): try MarginCommand.run(options)
    case .process(let options): try ProcessCommand(options).run()
    case .plot(let options): try PlotCommand(options).run()
    }
  }
}
