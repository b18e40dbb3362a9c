import Glibc
import Linux
import Page
import Wire

/// `page`: the shared page, read as a renderer would, at a frame rate.
struct PageCommand: ~Copyable {
  /// The command line's part.
  struct Options: Equatable, Sendable {
    /// Frames a second.
    var rate = 60.0
    /// Ends after so many seconds.
    var seconds: Double?
    var json = false
  }

  private let options: Options
  private let signals: Signals
  private var connection: Connection
  private let page: PageReader
  /// The last record that could be read.
  private var frame = PageFrame()

  init(socket: [String], _ options: Options) throws(CommandError) {
    // Until it is connected, a signal ends the program as usual.
    var connection = try SocketSearch.connect(socket)
    let page = try connection.openPage()
    let signals = try Signals([SIGINT, SIGTERM])
    self.connection = connection
    self.page = page
    self.signals = signals
    self.options = options
  }

  /// Returns when it is asked to end, by a signal or the time, or when the recording that is played ends.
  mutating func run() throws(CommandError) {
    let renews = !options.json && StandardOutput.isTerminal
    defer { if renews { try? StandardOutput.write("\n") } }
    let period = Int64(1e9 / options.rate)
    var next = MonotonicClock.nanoseconds
    let end = options.seconds.map { next + Int64($0 * 1e9) }
    while StandardOutput.waitForRoom(orSignal: signals) {
      if let newest = page.read() { frame = newest }
      let shown = ShownFrame(frame, at: MonotonicClock.nanoseconds)
      if options.json {
        try StandardOutput.write(shown.json)
      } else {
        try StandardOutput.write(renews ? "\r\(shown.line)\u{1b}[K" : "\(shown.line)\n")
      }
      if frame.reasonToken == StateReason.replayEnded.rawValue { return }
      // A frame that was missed is not made up for.
      next = max(next + period, MonotonicClock.nanoseconds)
      guard try pause(until: min(next, end ?? .max)), next < end ?? .max else { return }
    }
  }

  /// Waits for the next frame's time; the connection says nothing but that the page has ended.
  ///
  /// - Returns: false where a signal came first.
  private mutating func pause(until time: Int64) throws(CommandError) -> Bool {
    while true {
      switch try connection.next(deadline: time, others: [signals.descriptor.number]) {
      case .deadline: return true
      case .message(let message): _ = try Replies.read(message, as: NoParameters.self, from: connection.path)
      case .other: if signals.next() != nil { return false }
      }
    }
  }
}

extension Connection {
  /// Opens the daemon's page; it is kept up by the connection.
  mutating func openPage() throws(CommandError) -> PageReader {
    let opened = try call(Calls.openPage, as: OpenedPage.self)
    guard opened.fileDescriptor == 0, let descriptor = takeDescriptor() else {
      throw CommandError(ExitCode.failure, "the daemon at \(path) sends no page with its reply")
    }
    do {
      return try PageReader(mapping: descriptor)
    } catch {
      throw CommandError(
        ExitCode.failure,
        "the page of \(path) is none that parallaxctl \(parallaxVersion) can read: \(error)")
    }
  }
}
