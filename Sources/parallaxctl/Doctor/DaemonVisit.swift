import Linux
import Wire

/// The daemon's part of what `doctor` sees: its status, and a while of its stream.
enum DaemonVisit {
  /// Nanoseconds of the stream of a running sensor.
  private static let length: Int64 = 2_000_000_000
  /// Nanoseconds in which the sensor must run.
  private static let patience: Int64 = 8_000_000_000
  /// Events that are kept.
  private static let eventLimit = 20_000

  /// Asks and listens; what went wrong is a fact too.
  ///
  /// - Returns: the status as it came, for a report.
  @discardableResult
  static func visit(_ socket: [String], _ facts: inout MachineFacts) -> [UInt8]? {
    do throws(CommandError) {
      var control = try SocketSearch.connect(socket)
      let status = try control.call(Calls.getStatus, as: Status.self)
      facts.daemon = .answers(status)
      facts.lastStatus = status
      facts.configuredKeys = ConfiguredKeys.read(status.configuration.files)
      var listener = try SocketSearch.connect(socket)
      facts.stream = StreamFacts(try listen(&listener))
      // Only now the sensor has been open, and while somebody listens it is.
      try control.send(Calls.getStatus)
      let answer = try control.answer()
      facts.daemon = .answers(try Replies.read(answer, as: Status.self, from: control.path))
      return try Replies.line(answer, from: listener.path)
    } catch {
      let text = error.message ?? "the daemon does not answer"
      switch error.code {
      case ExitCode.noDaemon where error.isHang: facts.daemon = .hangs(text)
      case ExitCode.noDaemon: facts.daemon = .absent(text)
      case ExitCode.refused: facts.daemon = .refused(text)
      default: facts.daemon = .failed(text)
      }
      return nil
    }
  }

  /// Events of about two seconds of a running sensor; fewer where it does not run.
  private static func listen(_ connection: inout Connection) throws(CommandError) -> [MotionEvent] {
    var stream = EventStream(hasRates: true)
    try connection.send(stream.call)
    var deadline = MonotonicClock.nanoseconds + patience
    var events: [MotionEvent] = []
    var isRunning = false
    while events.count < eventLimit, MonotonicClock.nanoseconds < deadline {
      guard case .message(let message) = try connection.next(deadline: deadline) else { break }
      guard let event = try stream.event(message, &connection) else { continue }
      events.append(event)
      switch event.state {
      case .waiting, .stalled, .reduced: return events
      case .running where !isRunning:
        isRunning = true
        deadline = MonotonicClock.nanoseconds + length
      case .running, .idle, .starting: break
      }
    }
    return events
  }
}
