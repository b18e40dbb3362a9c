/// One thing that `doctor` has to say: in plain words, and the command that mends it.
struct Finding: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// Something is wrong: the exit code says so.
    case problem
    /// Good to know.
    case note
  }

  var kind: Kind
  var text: String
  /// A command, or the lines of a configuration; nil where there is none.
  var remedy: String?

  static func problem(_ text: String, _ remedy: String? = nil) -> Finding {
    Finding(kind: .problem, text: text, remedy: remedy)
  }

  static func note(_ text: String, _ remedy: String? = nil) -> Finding {
    Finding(kind: .note, text: text, remedy: remedy)
  }
}
