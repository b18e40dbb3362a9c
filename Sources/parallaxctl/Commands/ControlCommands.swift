import Linux
import Wire

/// The commands that are one call and its reply.
enum ControlCommands {
  /// `status`
  static func status(socket: [String], json: Bool) throws(CommandError) {
    var connection = try SocketSearch.connect(socket)
    if json {
      try connection.send(Calls.getStatus)
      try StandardOutput.writeJSON(try Replies.line(try connection.answer(), from: connection.path))
    } else {
      let lines = StatusText.lines(try connection.call(Calls.getStatus, as: Status.self))
      try StandardOutput.writeLine(lines.joined(separator: "\n"))
    }
  }

  /// `pan`: while motion is reduced the daemon does not move the content, and somebody should know.
  static func pan(socket: [String], x: Double, y: Double) throws(CommandError) {
    var connection = try SocketSearch.connect(socket)
    try connection.change(Calls.pan(x: x, y: y))
    let status = try connection.call(Calls.getStatus, as: Status.self)
    if status.reducedMotion { throw CommandError(ExitCode.failure, "ignored: motion is reduced") }
  }

  /// `recenter`, `reduced-motion`: nothing to print when it went well.
  static func change(socket: [String], _ call: [UInt8]) throws(CommandError) {
    var connection = try SocketSearch.connect(socket)
    try connection.change(call)
  }
}
