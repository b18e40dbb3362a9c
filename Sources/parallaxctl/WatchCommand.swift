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

  private let signals: Signals
  private var connection: Connection
  private var state = WatchState()
  /// CLOCK_MONOTONIC, nanoseconds; nil: no end.
  private let end: Int64?

  init(socket: [String], seconds: Double?) throws(CommandError) {
    let signals = try Signals([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP])
    connection = try SocketSearch.connect(socket)
    self.signals = signals
    end = seconds.map { MonotonicClock.nanoseconds + Int64($0 * 1e9) }
  }

  /// Returns when it is asked to end, by a signal, a key or the time, or when the recording that is played
  /// ends; one that cannot be played is an error.
  mutating func run(environment: (String) -> String?) throws(CommandError) {
    refreshStatus()
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
    try connection.send(Calls.subscribe(SubscriptionWishes(rates: true, minInterval: minInterval)))
    do {
      try take(try connection.answer())
    } catch  where error.code == ExitCode.refused {
      state.showsRates = false
      try connection.send(Calls.subscribe(SubscriptionWishes(minInterval: minInterval)))
      try take(try connection.answer())
    }
  }

  private mutating func take(_ message: [UInt8]) throws(CommandError) {
    let before = state.event
    let event = try Replies.read(message, as: MotionEvent.self, from: connection.path)
    state.take(event, now: MonotonicClock.nanoseconds)
    if before.state != event.state || before.reason != event.reason { refreshStatus() }
  }

  /// Asks for sensor, threshold and the daemon's own words, on a connection of its own: while a stream is
  /// open its connection answers no call. Without an answer the picture does with what it has.
  private mutating func refreshStatus() {
    guard var other = try? Connection(path: connection.path) else { return }
    if let status = try? other.call(Calls.getStatus, as: Status.self) { state.take(status) }
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
        case .other: if isEnding() { return }
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
  private func isEnding() -> Bool {
    while let signal = signals.next() {
      if signal == SIGTSTP { kill(getpid(), SIGSTOP) }
      if signal != SIGTSTP, signal != SIGWINCH { return true }
    }
    return false
  }

  // Picture

  private mutating func draw(on screen: borrowing Screen) throws(CommandError) {
    if try hasEnded() { return }
    var isStale = true
    var shown: Canvas?
    var drawnAt = Int64.min / 2
    let others = [signals.descriptor.number] + (screen.keyboardDescriptor.map { [$0] } ?? [])
    while true {
      let now = MonotonicClock.nanoseconds
      if isStale, now - drawnAt >= Self.frame {
        let size = screen.size
        let picture = WatchPicture.draw(
          &state, columns: size.columns, rows: size.rows, style: screen.style, now: now)
        try screen.show(picture, over: shown)
        shown = picture
        isStale = false
        drawnAt = now
      }
      // Nothing moves and nothing fades: wait without end.
      var deadline = end
      if isStale || state.trail.points.count > 1 {
        deadline = min(end ?? .max, drawnAt + (isStale ? Self.frame : Self.fading))
      }
      switch try connection.next(deadline: deadline, others: others) {
      case .message(let message):
        try take(message)
        if try hasEnded() { return }
        isStale = true
      case .deadline:
        if let end, MonotonicClock.nanoseconds >= end { return }
        isStale = true
      case .other(signals.descriptor.number):
        if try isEnding(screen) { return }
        // The terminal may have been another's, or changed its size: all is drawn anew.
        shown = nil
        isStale = true
      case .other:
        let keys = screen.keys()
        // No key though the descriptor is readable: the terminal has gone.
        if keys.isEmpty || keys.contains(UInt8(ascii: "q")) { return }
        state.notice = ""
        if keys.contains(UInt8(ascii: "r")) { recenter() }
        isStale = true
      }
    }
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

  /// As `isEnding()`; a stop by Ctrl-Z gives the terminal back meanwhile.
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
