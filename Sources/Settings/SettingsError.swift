import Linux

/// Why a configuration cannot be used: where, which key, what is allowed. The daemon exits with 78 on it, or
/// at a reload keeps the settings in force.
package struct SettingsError: Error, Equatable, Sendable {
  /// The file's path, or `--set`.
  package var file: String
  /// From 1; 0 where the file as a whole is meant, or the command line.
  package var line: Int
  /// In characters, from 1; 0 as above.
  package var column: Int
  /// `section.key`, where one is to blame.
  package var key: String?
  /// One sentence without a full stop: what is wrong, what is allowed.
  package var message: String

  package init(_ message: String, key: String? = nil, at place: SettingsPlace) {
    file = place.file
    line = place.line
    column = place.column
    self.key = key
    self.message = message
  }
}

extension SettingsError: CustomStringConvertible {
  /// One line: `parallaxd.toml:3:1: motion.treshold is not a setting; did you mean motion.threshold?`
  package var description: String {
    let place = line > 0 ? "\(file.printable()):\(line):\(column)" : file.printable()
    return "\(place): \(message.printable(limit: 1000))"
  }
}

/// Where something stands in a configuration.
package struct SettingsPlace: Equatable, Sendable {
  package var file: String
  package var line: Int
  package var column: Int

  package init(file: String, line: Int = 0, column: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The command line.
  package static let override = SettingsPlace(file: "--set")
}
