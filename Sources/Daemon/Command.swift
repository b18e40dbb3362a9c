import CLinux
import EventLoop
import Glibc
import Linux
import Motion
import Sensors
import Settings
import Wire

/// What a command line of `parallaxd` asks for, done.
package enum Command {
  /// Where it is to serve, signals are blocked already, and SIGPIPE is ignored otherwise.
  ///
  /// - Returns: the exit code.
  package static func run(_ options: DaemonOptions) -> Int32 {
    switch options.action {
    case .help: return say(DaemonOptions.help)
    case .version: return say("parallaxd \(parallaxVersion)\n")
    case .run, .checkConfiguration, .listSensors: break
    }
    do {
      let configuration = try LoadedConfiguration.load(options)
      switch options.action {
      case .checkConfiguration:
        for fault in configuration.scenes.faults { complain(fault.text) }
        for remark in configuration.scenes.remarks { complain(remark) }
        guard configuration.scenes.faults.isEmpty else { return ExitCode.configuration }
        for line in configuration.settings.withoutEffect { complain(line) }
        return say(check(configuration))
      case .listSensors: return list(configuration.settings)
      default: return serve(options, configuration)
      }
    } catch {
      complain("\(error)")
      return ExitCode.configuration
    }
  }

  private static func serve(_ options: DaemonOptions, _ configuration: LoadedConfiguration) -> Int32 {
    let log = Log(level: configuration.settings.log.level)
    for line in configuration.settings.withoutEffect { log.warning(line) }
    do {
      DescriptorLimit.apply(configuration.settings.server, log)
      let passed = PassedDescriptors.take()
      let loop = try EventLoop()
      let daemon = try Daemon(loop: loop, log: log, options: options, configuration: configuration)
      // After all else that may fail: the daemon takes the socket's file away again.
      let listener = try listen(options, configuration.settings, passed, log)
      tellOfNoDevice(configuration.settings.sensor, log)
      daemon.takeUp(passed)
      return try daemon.run(on: listener)
    } catch {
      log.error("\(error)")
      return ExitCode.failure
    }
  }

  private static func listen(
    _ options: DaemonOptions, _ settings: Settings, _ passed: PassedDescriptors, _ log: Log
  ) throws -> ListeningSocket {
    if let number = passed.listener {
      for (name, value) in [("socket", settings.server.socket), ("group", settings.server.group)]
      where value != nil {
        log.warning("server.\(name) is ignored: systemd hands over the socket")
      }
      if options.socket != nil { log.warning("--socket is ignored: systemd hands over the socket") }
      return try .activated(owning: number)
    }
    guard
      let path = options.socket ?? settings.server.socket
        ?? SocketPath.forDaemon(
          userID: geteuid(), runtimeDirectory: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) })
    else {
      throw ListenError("XDG_RUNTIME_DIR is not set: say where to serve with --socket PATH")
    }
    let listener = try ListeningSocket.bound(to: path, group: settings.server.group)
    log.info("serving \(path)")
    return listener
  }

  /// The sensor is opened for the first subscriber, and only then is it said what is wrong with it. That there is
  /// none at all is seen without opening anything.
  private static func tellOfNoDevice(_ sensor: SensorSettings, _ log: Log) {
    guard sensor.backend == .iio, sensor.isOfThisMachine else { return }
    do throws(SystemError) {
      guard try Folder.entries(of: "/sys/bus/iio/devices").isEmpty else { return }
    } catch {
      guard error.code == ENOENT else { return }
    }
    log.info(
      "this machine has no IIO device: nothing moves until one is there; `sudo parallaxctl doctor` says more, "
        + "--demo does without")
  }

  private static func check(_ configuration: LoadedConfiguration) -> String {
    let files =
      configuration.settings.files.isEmpty
      ? "no configuration file; the built-in settings are in force\n"
      : "\(configuration.settings.files.joined(separator: ", ")): good\n"
    let names = configuration.scenes.scenes.keys.sorted().joined(separator: ", ")
    return names.isEmpty ? files : files + "scenes: \(names)\n"
  }

  private static func list(_ settings: Settings) -> Int32 {
    let listing = SensorListing.make(settings)
    let said = say(listing.text)
    return listing.found ? said : ExitCode.failure
  }

  private static func say(_ text: String) -> Int32 {
    do throws(SystemError) {
      try Array(text.utf8).write(to: STDOUT_FILENO, "write the output")
      return ExitCode.success
    } catch {
      // Whoever read it has seen enough.
      if error.code == EPIPE { return ExitCode.success }
      complain("\(error)")
      return ExitCode.failure
    }
  }
}
