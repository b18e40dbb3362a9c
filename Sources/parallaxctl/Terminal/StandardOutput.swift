import Glibc
import Linux

/// Standard output and standard error, written at once and whole.
enum StandardOutput {
  /// SIGPIPE would end the program before it can restore the terminal, and SIGXFSZ in mid-row where a file may
  /// not become longer; EPIPE and EFBIG tell the same.
  static func takeErrorsForSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  private static let operation = "write the output"

  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  static func write(_ text: String) throws(CommandError) { try write(Array(text.utf8)) }

  static func writeLine(_ text: String) throws(CommandError) { try write(Array(text.utf8) + [0x0a]) }

  /// A help text; in ASCII where the locale knows no more.
  static func writeHelp(_ text: String) throws(CommandError) {
    let style = Screen.style(Environment.value)
    try write(style.hasUnicode ? text : PlainText.ascii(text))
  }

  static func write(_ bytes: [UInt8]) throws(CommandError) {
    do {
      try bytes.write(to: STDOUT_FILENO, Self.operation)
    } catch {
      throw error.code == EPIPE ? .outputClosed : CommandError(ExitCode.failure, "\(error)")
    }
  }

  /// JSON exactly as it came; on a terminal, what it would obey is written as JSON's own escapes.
  static func writeJSON(_ bytes: [UInt8]) throws(CommandError) {
    try write(isTerminal ? PlainText.escapedJSON(bytes) : bytes)
  }

  /// Waits until there is room for a line, which a reader that has stopped may never make.
  ///
  /// - Returns: false where a signal came first.
  static func waitForRoom(orSignal signals: borrowing Signals) -> Bool {
    var descriptors = [
      pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: signals.descriptor.number, events: Int16(POLLIN), revents: 0),
    ]
    while descriptors[0].revents == 0 {
      if poll(&descriptors, 2, -1) < 0, errno != EINTR { return true }
      if descriptors[0].revents == 0, descriptors[1].revents != 0 { return false }
    }
    return true
  }

  /// A line on standard error; there is nobody to tell if that fails.
  static func complain(_ message: String) { tell("parallaxctl: \(message.printable(limit: 2000))\n") }

  /// Text on standard error as it is, such as a question or a line that renews itself.
  static func tell(_ text: String) { try? Array(text.utf8).write(to: STDERR_FILENO, Self.operation) }
}
