import Glibc
import Linux
import Motion
import Traces
import Wire

/// `record`: the raw scans that the daemon sees, as a .gcsv that `process` and a replay read back.
///
/// The stream begins anew with the recording, and ends with whatever begins it anew once more: so a fresh
/// pipeline on the file computes what the daemon computed, bit for bit.
struct RecordCommand: ~Copyable {
  /// The command line's part.
  struct Options: Equatable, Sendable {
    var file = ""
    /// Ends after so many seconds of samples.
    var seconds: Double?
    /// Replaces an existing file.
    var force = false
    /// Leaves the offset where it is.
    var keepOffset = false
  }

  private let options: Options
  private var connection: Connection
  private var recording: Recording
  private var progress: RecordProgress
  private let started = MonotonicClock.nanoseconds
  /// CLOCK_MONOTONIC of the last message.
  private var lastArrival: Int64
  /// What was last said of why nothing comes.
  private var silenceText: String?
  /// Whether the offset is to become neutral: not where that was refused.
  private var recenters: Bool

  /// Nanoseconds between two looks at the clock.
  private static let tick: Int64 = 250_000_000
  /// Nanoseconds without a scan after which the daemon is asked why.
  private static let patience: Int64 = 1_000_000_000

  /// Records until it is asked to end, by a signal or the time; one line says what is in the file, also where
  /// it ended before its time.
  static func run(socket: [String], _ options: Options) throws(CommandError) {
    _ = try record(socket: socket, options) { summary in
      // The recording matters more than a reader who has gone.
      try? StandardOutput.writeLine("\(options.file.printable()): \(summary.text)")
    }
  }

  /// The same; what is in the file goes to `tell`, if anything is.
  static func record(
    socket: [String], _ options: Options, tell: (Recording.Summary) -> Void = { _ in }
  ) throws(CommandError) -> Recording.Summary {
    // A daemon that does not take the connection can be waited for: a signal still ends the program by itself.
    let connection = try SocketSearch.connect(socket)
    let signals = try Signals([SIGINT, SIGTERM, SIGHUP])
    let file = try RecordingFile(options.file, replacing: options.force)
    var command = RecordCommand(options, Recording(file: file), connection)
    var failure: CommandError?
    do throws(CommandError) {
      try command.record(until: signals)
    } catch {
      failure = error
    }
    return try command.finish(failure, tell)
  }

  private init(
    _ options: Options, _ recording: consuming Recording, _ connection: consuming Connection
  ) {
    self.options = options
    self.recording = recording
    self.connection = connection
    progress = RecordProgress(seconds: options.seconds)
    lastArrival = started
    recenters = !options.keepOffset
  }

  private mutating func record(until signals: borrowing Signals) throws(CommandError) {
    try connection.send(Calls.subscribeRaw(recenter: recenters))
    while true {
      let deadline = MonotonicClock.nanoseconds + Self.tick
      switch try connection.next(deadline: deadline, others: [signals.descriptor.number]) {
      case .message(let message):
        lastArrival = MonotonicClock.nanoseconds
        if try take(message) { return }
      case .deadline: break
      case .other: if signals.next() != nil { return }
      }
      if try look(signals) { return }
    }
  }

  /// - Returns: whether the recording is long enough.
  private mutating func take(_ message: [UInt8]) throws(CommandError) -> Bool {
    let parsed: RawMessage
    do {
      parsed = try Reply<RawMessage>(decoding: message).parameters
    } catch {
      guard case .service(.permissionDenied) = error else {
        _ = try Replies.read(message, as: RawMessage.self, from: connection.path)
        return false
      }
      guard recenters, !recording.hasHeader else { throw Self.refused(connection.path) }
      // Who may not set the offset back for everybody may still record.
      recenters = false
      try connection.send(Calls.subscribeRaw(recenter: false))
      return false
    }
    switch parsed {
    case .header(let header):
      try recording.begin(header)
      if header.midStream {
        progress.say(Recording.midStreamNote)
      } else if !recenters, !options.keepOffset {
        progress.say("the offset is left where it is: to set it back takes the control group")
      }
    case .batch(let scans, let dropped):
      try recording.append(scans, dropped: dropped, seconds: options.seconds)
    }
    return recording.isComplete
  }

  /// Once a tick: is it time, and why does nothing come?
  ///
  /// - Returns: whether the recording is at its end.
  private mutating func look(_ signals: borrowing Signals) throws(CommandError) -> Bool {
    let now = MonotonicClock.nanoseconds
    try recording.flush(at: now)
    progress.show(recording.summary, at: now)
    guard now - lastArrival >= Self.patience else { return false }
    // Asked again after another while.
    lastArrival = now
    let status: Status
    switch try ask(signals) {
    case .status(let answer): status = answer
    case .busy: return false
    case .asked: return true
    }
    if status.reason == .replayEnded {
      if recording.taken.samples > 0 { return true }
      throw CommandError(ExitCode.failure, "nothing was recorded: \(status.text)")
    }
    let text = "\(status.state.rawValue): \(status.text)"
    if status.state != .running, text != silenceText {
      silenceText = text
      progress.say("no scans, \(text)")
    }
    if let seconds = options.seconds, now - started >= Int64((seconds + 1) * 1e9) {
      guard recording.taken.samples == 0 else { return true }
      throw CommandError(ExitCode.failure, "no scans in \(DecimalText.brief(seconds, digits: 3)) s, \(text)")
    }
    return false
  }

  /// What the daemon says of itself.
  private enum Inquiry {
    case status(Status)
    /// It takes no connection at the moment.
    case busy
    /// A signal asks to end meanwhile.
    case asked
  }

  /// Asks for the status on a connection of its own: this one has its stream. A daemon that hangs does not
  /// hold a signal up.
  private func ask(_ signals: borrowing Signals) throws(CommandError) -> Inquiry {
    guard var other = try? Connection(path: connection.path, patience: Self.tick) else { return .busy }
    try other.send(Calls.getStatus)
    let deadline = MonotonicClock.nanoseconds + Connection.patience
    while true {
      switch try other.next(deadline: deadline, others: [signals.descriptor.number]) {
      case .message(let message):
        return .status(try Replies.read(message, as: Status.self, from: other.path))
      case .deadline: throw other.silence
      case .other: if signals.next() != nil { return .asked }
      }
    }
  }

  /// Writes what is left, tells what is in the file, and throws why it ended before its time.
  private mutating func finish(
    _ failure: CommandError?, _ tell: (Recording.Summary) -> Void
  ) throws(CommandError) -> Recording.Summary {
    progress.clear()
    var failure = failure
    do throws(CommandError) {
      try recording.flush()
    } catch {
      failure = failure ?? error
    }
    let summary = recording.summary
    if summary.samples > 0 {
      tell(summary)
    } else {
      failure = failure ?? CommandError(ExitCode.failure, "nothing was recorded: no scan came")
    }
    if let failure { throw failure }
    return summary
  }

  private static func refused(_ path: String) -> CommandError {
    CommandError(
      ExitCode.refused,
      "the daemon at \(path) gives you no raw scans: root, its own user and members of server.control_group get "
        + "them, or everybody with `allow_raw = true` in [server] and `sudo systemctl reload parallaxd`")
  }
}
