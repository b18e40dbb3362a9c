import Glibc
import Linux
import Wire

/// `subscribe`: the events of a stream, one a line, exactly as received.
enum SubscribeCommand {
  /// The command line's part.
  struct Options: Equatable, Sendable {
    var wishes = SubscriptionWishes()
    /// Ends after so many events.
    var count: Int?
    /// Ends after so many seconds.
    var seconds: Double?
    /// A file or a name.
    var scene: String?
  }

  /// Returns when it is asked to end, by a signal, the count or the time.
  static func run(socket: [String], _ options: Options) throws(CommandError) {
    var wishes = options.wishes
    wishes.scene = try options.scene.map(SceneArgument.parameter)
    var connection = try SocketSearch.connect(socket)
    let signals = try Signals([SIGINT, SIGTERM])
    let end = options.seconds.map { MonotonicClock.nanoseconds + Int64($0 * 1e9) }
    try connection.send(Calls.subscribe(wishes))
    var left = options.count ?? .max
    while left > 0 {
      switch try connection.next(deadline: end, others: [signals.descriptor.number]) {
      case .message(let message):
        guard StandardOutput.waitForRoom(orSignal: signals) else { return }
        try StandardOutput.writeJSON(try Replies.line(message, from: connection.path))
        left -= 1
      case .deadline: return
      case .other: if signals.next() != nil { return }
      }
    }
  }
}

/// What the client asks of a stream.
struct SubscriptionWishes: Equatable, Sendable {
  var rates = false
  var tilt = false
  /// Every update, not only changes.
  var all = false
  /// Seconds of sample time, 0–60.
  var minInterval: Double?
  var scene: JSONValue?
}
