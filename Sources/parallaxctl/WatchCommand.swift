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

  /// Returns when it is asked to end, by a signal, a key or the time.
  mutating func run(environment: (String) -> String?) throws(CommandError) {
    refreshStatus()
    if Screen.isDrawable(environment: environment) {
      try subscribe(minInterval: nil)
      let screen = try Screen(environment: environment)
      try draw(on: screen)
    } else {
      try subscribe(minInterval: Self.lineInterval)
      try printLines()
    }
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
    try StandardOutput.writeLine(state.headline)
    try StandardOutput.writeLine(state.line)
    while true {
      switch try connection.next(deadline: end, others: [signals.descriptor.number]) {
      case .message(let message):
        try take(message)
        try StandardOutput.writeLine(state.line)
      case .deadline: return
      case .other: if isEnding() { return }
      }
    }
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
    var isStale = true
    var drawnAt = Int64.min / 2
    let others = [signals.descriptor.number] + (screen.keyboardDescriptor.map { [$0] } ?? [])
    while true {
      let now = MonotonicClock.nanoseconds
      if isStale, now - drawnAt >= Self.frame {
        let size = screen.size
        try screen.show(
          WatchPicture.lines(
            &state, columns: size.columns, rows: size.rows, style: screen.style, now: now))
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
        isStale = true
      case .deadline:
        if let end, MonotonicClock.nanoseconds >= end { return }
        isStale = true
      case .other(signals.descriptor.number):
        if try isEnding(screen) { return }
        isStale = true
      case .other:
        let keys = screen.keys()
        // No key though the descriptor is readable: the terminal has gone.
        if keys.isEmpty || keys.contains(UInt8(ascii: "q")) { return }
      }
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
