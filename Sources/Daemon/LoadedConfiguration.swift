import Glibc
import Linux
import Settings
import Traces

/// The settings in force and where they are from.
struct LoadedConfiguration {
  var settings: Settings
  /// Seconds since the epoch.
  var loadedAt: Int64
  /// What cannot be used of them is said, and nothing else.
  var scenes: SceneFolder
  /// Why the last reload was refused.
  var lastError: String?

  /// Reads the files, applies the command line, and checks that a trace can be read.
  ///
  /// - Throws: one line for people.
  static func load(_ options: DaemonOptions) throws(ConfigurationError) -> LoadedConfiguration {
    do {
      let source = options.configuration.map(SettingsSource.file) ?? .system
      var settings = try Settings.load(source: source, overrides: options.overrides)
      if let replay = options.replay {
        settings.sensor.backend = .replay
        settings.sensor.replayFile = replay
      }
      if options.demo { settings.sensor.backend = .demo }
      try checkTrace(settings.sensor)
      return LoadedConfiguration(
        settings: settings, loadedAt: Int64(time(nil)), scenes: SceneFolder(beside: source))
    } catch {
      throw ConfigurationError(description: "\(error)")
    }
  }

  /// A recording that cannot be opened, and a mapping that is none, are said at once, not to the first
  /// subscriber.
  private static func checkTrace(_ sensor: SensorSettings) throws {
    var columns: ColumnMapping?
    if let text = sensor.replayColumns {
      do {
        columns = try ColumnMapping(text)
      } catch {
        throw ConfigurationError(description: "sensor.replay_columns: \(error)")
      }
    }
    guard sensor.backend == .replay else { return }
    _ = try TraceReader(
      path: sensor.replayFile ?? "", columns: columns, skipBadRows: sensor.replaySkipBadRows)
  }
}

/// The configuration cannot be used: file, line, key, what is allowed.
struct ConfigurationError: Error, CustomStringConvertible {
  let description: String
}
