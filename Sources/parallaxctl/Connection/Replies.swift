import Linux
import Wire

/// What the daemon sent back, in the client's own words where it cannot be used.
enum Replies {
  /// The parameters of one reply.
  ///
  /// - Parameters:
  ///   - message: without its end.
  ///   - path: the socket that it came from.
  static func read<Parameters: Decodable & Sendable>(
    _ message: [UInt8], as type: Parameters.Type, from path: String
  ) throws(CommandError) -> Parameters {
    do {
      return try Reply<Parameters>(decoding: message).parameters
    } catch {
      switch error {
      case .service(let answer): throw refusal(answer, from: path)
      case .unknown(let name):
        throw CommandError(ExitCode.failure, "the daemon at \(path) answers \(name.printable())")
      case .malformed: throw nonsense(from: path)
      }
    }
  }

  /// The parameters as they came, and a newline: an error is thrown. Newlines between tokens become spaces,
  /// so that it is one line.
  static func line(_ message: [UInt8], from path: String) throws(CommandError) -> [UInt8] {
    _ = try read(message, as: NoParameters.self, from: path)
    guard let parameters = ReplyMember.value(of: "parameters", in: message),
      parameters.first == UInt8(ascii: "{")
    else {
      throw nonsense(from: path)
    }
    return parameters.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 } + [0x0a]
  }

  /// What streams and pages can be refused for; commands that change things have words of their own
  /// (`ControlRight`).
  private static let whoSeesRates =
    "rates are for root, its own user and members of server.control_group, or for everybody with "
    + "`allow_rate = true` in [server] and `sudo systemctl reload parallaxd`"

  private static func refusal(_ error: ServiceError, from path: String) -> CommandError {
    switch error {
    case .permissionDenied:
      return CommandError(ExitCode.refused, "the daemon at \(path) refuses: \(whoSeesRates)")
    case .tooManySubscribers(let limit):
      return CommandError(
        ExitCode.failure,
        "the daemon at \(path) has all the \(limit) subscribers it takes; close one, or raise the limit")
    case .methodNotFound, .methodNotImplemented, .interfaceNotFound:
      return CommandError(
        ExitCode.failure,
        "the daemon at \(path) does not know this call: is it older than parallaxctl \(parallaxVersion)?")
    case .invalidScene(let place, let reason):
      return CommandError(
        ExitCode.configuration,
        "the daemon at \(path) refuses the scene: \(place.printable()) \(reason.printable(limit: 2000))")
    case .invalidParameter(let name):
      return CommandError(
        ExitCode.failure, "the daemon at \(path) does not take \(name.printable()) as given")
    default: return CommandError(ExitCode.failure, "the daemon at \(path) answers \(error.name)")
    }
  }

  /// What comes from something that is no parallaxd.
  static func nonsense(from path: String) -> CommandError {
    CommandError(
      ExitCode.failure, "what answers at \(path) does not speak as parallaxd \(parallaxVersion) does")
  }
}

extension Connection {
  /// Waits for one message, but not for ever.
  mutating func answer() throws(CommandError) -> [UInt8] {
    let deadline = MonotonicClock.nanoseconds + Self.patience
    guard case .message(let message) = try next(deadline: deadline) else { throw silence }
    return message
  }

  /// No answer came in time.
  var silence: CommandError {
    CommandError(
      ExitCode.noDaemon, "the daemon at \(path) does not answer: \(SocketSearch.stateHint(path: path))",
      isHang: true)
  }

  /// Sends a call and reads its one reply.
  mutating func call<Parameters: Decodable & Sendable>(
    _ call: [UInt8], as type: Parameters.Type
  ) throws(CommandError) -> Parameters {
    try send(call)
    return try Replies.read(try answer(), as: type, from: path)
  }
}
