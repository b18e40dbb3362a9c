/// One thing that `doctor` has to say: in plain words, and what mends it.
struct Finding: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// Something is wrong: the exit code says so.
    case problem
    /// Good to know.
    case note
  }

  var kind: Kind
  var text: String
  /// nil where there is none.
  var remedy: Remedy?

  /// - Parameter command: for a shell, as it is to be typed.
  static func problem(_ text: String, _ command: String? = nil, hint: String? = nil) -> Finding {
    Finding(kind: .problem, text: text, remedy: command.map { .command($0, hint: hint) })
  }

  static func problem(_ text: String, _ remedy: Remedy?) -> Finding {
    Finding(kind: .problem, text: text, remedy: remedy)
  }

  static func note(_ text: String, _ command: String? = nil, hint: String? = nil) -> Finding {
    Finding(kind: .note, text: text, remedy: command.map { .command($0, hint: hint) })
  }
}

/// What mends something: it can be taken from the screen as it stands.
enum Remedy: Equatable, Sendable {
  /// For a shell. The hint follows as a comment.
  case command(String, hint: String? = nil)
  /// Lines of TOML for a section of the configuration.
  case settings(SettingLines)

  struct SettingLines: Equatable, Sendable {
    /// `sensor`
    var section: String
    /// `mode = "fixed"`
    var lines: [String]
    var file: String
    /// What has the daemon read them.
    var reload: String
  }

  /// The first line begins where the arrow stands, the others are below it.
  var lines: [String] {
    switch self {
    case .command(let command, let hint): [command + (hint.map { "    # \($0)" } ?? "")]
    case .settings(let one):
      ["in [\(one.section)] of \(one.file), then `\(one.reload)`:"] + one.lines
    }
  }

  var text: String { lines.joined(separator: "\n") }
}
