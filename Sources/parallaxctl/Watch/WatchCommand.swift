import CLinux
import Glibc
import Linux
import Wire

/// `watch`: the live picture, or plain lines where there is nothing to draw on.
struct WatchCommand: ~Copyable {
  /// Nanoseconds between two pictures at least.
  private static let frame: Int64 = 33_000_000
  /// Nanoseconds after which the trail is drawn again though nothing came.
  private static let fading: Int64 = 100_000_000
  /// Seconds of sample time between two plain lines.
  private static let lineInterval = 0.1

  /// The command line's part.
  struct Options: Equatable, Sendable {
    /// Ends after so many seconds.
    var seconds: Double?
    /// A file or a name.
    var scene: String?
  }

  private let signals: Signals
  private let scene: JSONValue?
  private var connection: Connection
  private var state = WatchState()
  /// CLOCK_MONOTONIC, nanoseconds; nil: no end.
  private let end: Int64?

  init(socket: [String], _ options: Options) throws(CommandError) {
    let scene = try options.scene.map(SceneArgument.parameter)
    // Until it is connected, a signal ends the program as usual.
    let connection = try SocketSearch.connect(socket)
    let signals = try Signals([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP])
    self.connection = connection
    self.signals = signals
    self.scene = scene
    end = options.seconds.map { MonotonicClock.nanoseconds + Int64($0 * 1e9) }
  }

  /// Returns when it is asked to end, by a signal, a key or the time, or when the recording that is played
  /// ends; one that cannot be played is an error.
  mutating func run(environment: (String) -> String?) throws(CommandError) {
    try refreshStatus()
    if Screen.isDrawable(environment: environment) {
      try subscribe(minInterval: nil)
      // The screen is given back before anything more is said.
      try onScreen(environment)
    } else {
      try subscribe(minInterval: Self.lineInterval)
      try printLines()
    }
    // After a hang-up there may be no terminal left.
    try? StandardOutput.writeLine(state.summary)
  }

  private mutating func onScreen(_ environment: (String) -> String?) throws(CommandError) {
    let screen = try Screen(environment: environment)
    try draw(on: screen)
  }

  /// With rates where we may see them.
  private mutating func subscribe(minInterval: Double?) throws(CommandError) {
    state.showsRates = true
    var wishes = SubscriptionWishes(rates: true, tilt: true, minInterval: minInterval, scene: scene)
    try connection.send(Calls.subscribe(wishes))
    do {
      try take(try answer())
    } catch  where error.code == ExitCode.refused {
      state.showsRates = false
      wishes.rates = false
      try connection.send(Calls.subscribe(wishes))
      try take(try answer())
    }
  }

  private mutating func take(_ message: [UInt8]) throws(CommandError) {
    let before = state.event
    let reply = try Replies.read(message, as: SceneEvent.self, from: connection.path)
    let event = reply.event
    state.take(event, reply.scene, now: MonotonicClock.nanoseconds)
    if before.state != event.state || before.reason != event.reason { try refreshStatus() }
  }

  /// Asks for sensor, threshold and the daemon's own words, on a connection of its own: while a stream is
  /// open its connection answers no call. Without an answer the picture does with what it has.
  private mutating func refreshStatus() throws(CommandError) {
    guard var other = try? Connection(path: connection.path) else { return }
    do {
      try other.send(Calls.getStatus)
      let message = try Self.answer(on: &other, signals)
      state.take(try Replies.read(message, as: Status.self, from: other.path))
    } catch  where error != .asked {}
  }

  private mutating func answer() throws(CommandError) -> [UInt8] {
    try Self.answer(on: &connection, signals)
  }

  /// As `Connection.answer()`, but a signal that ends the command ends the waiting too.
  private static func answer(
    on connection: inout Connection, _ signals: borrowing Signals
  ) throws(CommandError) -> [UInt8] {
    let deadline = MonotonicClock.nanoseconds + Connection.patience
    while true {
      switch try connection.next(deadline: deadline, others: [signals.descriptor.number]) {
      case .message(let message): return message
      case .deadline: throw connection.silence
      case .other: if isEnding(signals) { throw .asked }
      }
    }
  }

  // Lines

  private mutating func printLines() throws(CommandError) {
    var hasHeadline = false
    var isWaitingForFirst = true
    while true {
      // That nobody subscribed and that the sensor is being switched on is no news to who has just subscribed.
      let isNews = ![.idle, .starting].contains(state.event.state)
      if isNews, state.event.state == .running, !hasHeadline {
        hasHeadline = true
        try StandardOutput.writeLine(state.headline)
      }
      if isNews || !isWaitingForFirst { try StandardOutput.writeLine(state.line) }
      isWaitingForFirst = isWaitingForFirst && !isNews
      if try hasEnded() { return }
      var isQuiet = true
      while isQuiet {
        switch try connection.next(deadline: end, others: [signals.descriptor.number]) {
        case .message(let message):
          try take(message)
          isQuiet = false
        case .deadline: return
        case .other: if Self.isEnding(signals) { return }
        }
      }
    }
  }

  /// Whether there is nothing more to come: the recording has been played.
  private func hasEnded() throws(CommandError) -> Bool {
    if let text = state.brokenReplay { throw CommandError(ExitCode.failure, text) }
    return state.hasPlayed
  }

  /// Whether a signal that has come ends the command.
  private static func isEnding(_ signals: borrowing Signals) -> Bool {
    while let signal = signals.next() {
      if signal == SIGTSTP { kill(getpid(), SIGSTOP) }
      if signal != SIGTSTP, signal != SIGWINCH { return true }
    }
    return false
  }

  // Picture

  /// The picture that is on the screen.
  private struct Shown {
    /// nil: nothing of it can be relied on.
    var canvas: Canvas?
    /// Something has happened since.
    var isStale = true
    /// When it was drawn, CLOCK_MONOTONIC nanoseconds, and how long the next one waits at least.
    var time = Int64.min / 2
    var interval = WatchCommand.frame

    /// When the next one is due: at `end` where nothing moves and nothing fades.
    func deadline(isFading: Bool, end: Int64?) -> Int64? {
      isStale || isFading ? min(end ?? .max, time + (isStale ? interval : WatchCommand.fading)) : end
    }
  }

  private mutating func draw(on screen: borrowing Screen) throws(CommandError) {
    if try hasEnded() { return }
    var shown = Shown()
    let others = [signals.descriptor.number] + (screen.keyboardDescriptor.map { [$0] } ?? [])
    while true {
      try renew(&shown, on: screen)
      let deadline = shown.deadline(isFading: state.trail.points.count > 1, end: end)
      switch try connection.next(deadline: deadline, others: others) {
      case .message(let message):
        try take(message)
        if try hasEnded() { return }
      case .deadline:
        if let end, MonotonicClock.nanoseconds >= end { return }
      case .other(signals.descriptor.number):
        if try isEnding(screen) { return }
        // The terminal may have been another's, or changed its size: all is drawn anew.
        shown.canvas = nil
      case .other:
        if obey(screen.keys()) { return }
      }
      shown.isStale = true
    }
  }

  /// Draws the picture where it is stale, but not too often.
  private mutating func renew(_ shown: inout Shown, on screen: borrowing Screen) throws(CommandError) {
    let now = MonotonicClock.nanoseconds
    guard shown.isStale, now - shown.time >= shown.interval else { return }
    let size = screen.size
    let picture = WatchPicture.draw(
      &state, columns: size.columns, rows: size.rows, style: screen.style, now: now)
    try screen.show(picture, over: shown.canvas)
    // A large picture on a slow machine: rather fewer pictures than all of the processor.
    let interval = max(Self.frame, 3 * (MonotonicClock.nanoseconds - now))
    shown = Shown(canvas: picture, isStale: false, time: now, interval: interval)
  }

  /// Does what keys say.
  ///
  /// - Returns: whether that is to end.
  private mutating func obey(_ keys: [UInt8]) -> Bool {
    // No key though the descriptor is readable: the terminal has gone.
    if keys.isEmpty || keys.contains(UInt8(ascii: "q")) { return true }
    state.notice = ""
    if keys.contains(UInt8(ascii: "r")) { recenter() }
    return false
  }

  /// Makes the offset (0, 0), on a connection of its own: the stream's takes no call.
  private mutating func recenter() {
    do throws(CommandError) {
      var other = try SocketSearch.connect([connection.path])
      _ = try other.call(Calls.recenter, as: NoParameters.self)
    } catch {
      let reason = error.code == ExitCode.refused ? "you may not (root or the control group)" : "no answer"
      state.notice = "not recentered: \(reason)"
    }
  }

  /// As `isEnding(_:)` without a screen; a stop by Ctrl-Z gives the terminal back meanwhile.
  private func isEnding(_ screen: borrowing Screen) throws(CommandError) -> Bool {
    while let signal = signals.next() {
      switch signal {
      case SIGTSTP:
        screen.leave()
        kill(getpid(), SIGSTOP)
        try screen.enter()
      case SIGWINCH: break
      default: return true
      }
    }
    return false
  }
}
