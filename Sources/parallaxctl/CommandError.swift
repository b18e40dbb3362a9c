/// What `parallaxctl` leaves with.
enum ExitCode: Int32, Sendable {
  case success = 0
  case failure = 1
  /// The command line cannot be followed.
  case usage = 2
  /// Nobody answers on the socket, or the daemon has left.
  case noDaemon = 3
  /// The daemon is there and says no: no right to connect, or to do this.
  case refused = 4
  /// The configuration cannot be used.
  case configuration = 78
}

/// Why a command ends before its time.
struct CommandError: Error, Equatable, Sendable {
  /// One line for people: what, where, what to do. nil: there is nobody left to read it.
  let message: String?
  let code: ExitCode

  init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Whoever read our output has gone, as `head` does when it has seen enough: no reason to complain.
  static let outputClosed = CommandError()

  private init() {
    code = .success
    message = nil
  }
}
