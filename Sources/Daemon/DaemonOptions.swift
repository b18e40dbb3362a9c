import Linux
import Settings

/// The command line of `parallaxd`.
package struct DaemonOptions: Equatable, Sendable {
  /// What is to be done; the first one that is asked for, in the order of `init`.
  package enum Action: Equatable, Sendable { case run, checkConfiguration, listSensors, help, version }

  package var action = Action.run
  /// `--config`
  package var configuration: String?
  /// `--socket`
  package var socket: String?
  /// `--replay`
  package var replay: String?
  /// `--demo`
  package var demo = false
  /// `--set section.key=value`, in order; they outlive a reload.
  package var overrides: [String] = []

  private static let known = [
    Option("config", letter: "c", takesValue: true), Option("socket", letter: "s", takesValue: true),
    Option("replay", letter: "r", takesValue: true), Option("demo", letter: "d"),
    Option("set", takesValue: true), Option("check-config"), Option("list-sensors"),
    Option("help", letter: "h"), Option("version", letter: "V"),
  ]

  /// - Parameter arguments: without the program's name.
  package init(_ arguments: [String]) throws(UsageError) {
    let parsed = try ParsedArguments(arguments, options: Self.known)
    if parsed.has("help") {
      action = .help
    } else if parsed.has("version") {
      action = .version
    } else if parsed.has("check-config") {
      action = .checkConfiguration
    } else if parsed.has("list-sensors") {
      action = .listSensors
    }
    configuration = parsed.value(of: "config")
    socket = parsed.value(of: "socket")
    replay = parsed.value(of: "replay")
    demo = parsed.has("demo")
    overrides = parsed.options.filter { $0.name == "set" }.map(\.value)
    for word in overrides {
      if let fault = Settings.fault(inOverride: word) { throw UsageError(fault) }
    }
    if let operand = parsed.operands.first {
      let word = operand.shownAsWord
      throw UsageError("unexpected argument \(word); a recording is played with --replay \(word)")
    }
    if demo, replay != nil { throw UsageError("--demo and --replay exclude each other") }
  }

  package static let help = """
    Usage: parallaxd [OPTION]…

    Turns a gyroscope's rotation into content offsets and hands them to subscribers
    on a Unix socket.

      -c, --config FILE        settings from FILE instead of
                               /etc/parallaxd/parallaxd.toml and
                               /etc/parallaxd/parallaxd.toml.d/*.toml, and scenes
                               from the folder scenes beside it
      -s, --socket PATH        serve on PATH
      -r, --replay TRACE       play a recording instead of a gyroscope
      -d, --demo               play a synthetic demonstration: a modelled hand
                               tilting a tablet
          --set SECTION.KEY=VALUE
                               set one setting, above every file; may be repeated;
                               outlives a reload
          --check-config       read the settings, say what is wrong, and leave
          --list-sensors       what libiio sees, which sensor would be chosen and
                               why, and how it would be read
      -h, --help               this text
      -V, --version            the version

    Examples:
      parallaxd --list-sensors
      parallaxd --demo --socket /run/user/1000/demo
      parallaxd --replay walk.gcsv --set sensor.replay_speed=max --set motion.threshold=0.05
      parallaxd --config my.toml --check-config

    Exit: 0 on success, 1 failure (--list-sensors: no gyroscope), 2 wrong usage, 78
    wrong configuration.
    Signals: SIGHUP reads the settings again, SIGTERM and SIGINT give the sensor
    back and leave.
    See parallaxd(8), parallaxd.toml(5), parallaxctl(1).

    """
}
