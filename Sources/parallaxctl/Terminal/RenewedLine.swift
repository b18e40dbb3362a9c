import Glibc

/// A line on standard error that renews itself; none where that is no terminal.
struct RenewedLine {
  let isTerminal = isatty(STDERR_FILENO) == 1
  private var isShown = false

  /// Puts a text in the place of the one before.
  mutating func show(_ text: String) {
    guard isTerminal else { return }
    StandardOutput.tell("\r\(text)\u{1b}[K")
    isShown = true
  }

  /// Takes the line away.
  mutating func clear() {
    if isShown { StandardOutput.tell("\r\u{1b}[K") }
    isShown = false
  }
}
