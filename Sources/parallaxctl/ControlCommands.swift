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

  /// `recenter`, `pan`, `reduced-motion`: nothing to print when it went well.
  static func change(socket: [String], _ call: [UInt8]) throws(CommandError) {
    var connection = try SocketSearch.connect(socket)
    _ = try connection.call(call, as: NoParameters.self)
  }
}
