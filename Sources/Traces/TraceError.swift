import Linux

/// Why a trace cannot be read, for people: in which file, where in it, and what was expected.
package struct TraceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Path of the file; empty where there is none (`--columns`, or bytes without a file).
  package var file: String
  /// From 1; 0 where the whole file is meant.
  package var line: Int
  /// The byte in the line, from 1; 0 where the whole line is meant.
  package var column: Int
  /// What was expected and what was found instead.
  package var text: String

  package init(file: String = "", line: Int = 0, column: Int = 0, _ text: String) {
    self.file = file
    self.line = line
    self.column = column
    self.text = text
  }

  /// `walk.csv:17:23: x (GX) is no number: "abc"`, in one line whatever the file holds.
  package var description: String {
    let place = [file.printable(), line > 0 ? "\(line)" : "", column > 0 ? "\(column)" : "", " "]
      .filter { !$0.isEmpty }.joined(separator: ":")
    return (place == " " ? "" : place) + text
  }

  /// The same error with the name of the file.
  func inFile(_ path: String) -> TraceError {
    var error = self
    error.file = path
    return error
  }

  /// Bytes of a file in quotes: `"abc"`.
  static func quoted(_ bytes: some Sequence<UInt8>, limit: Int = 40) -> String {
    // Four bytes hold at least one character.
    let text = String(decoding: Array(bytes.prefix(4 * limit + 4)), as: UTF8.self)
    return "\"" + text.printable(limit: limit) + "\""
  }
}
