import Glibc
import Linux

/// How a recording goes, on standard error: a line that renews itself on a terminal, and messages.
struct RecordProgress {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let seconds: Double?
  private var isShown = false

  private static let width = 30

  /// - Parameter seconds: how long the recording is to be; with it there is a bar.
  init(seconds: Double?) { self.seconds = seconds }

  /// Renews the line.
  mutating func show(_ summary: Recording.Summary, at now: Int64) {
    guard isTerminal, summary.samples > 0 else { return }
    var text = summary.text
    if let seconds {
      text = "\(ProgressBar.text(share: summary.seconds / seconds, width: Self.width)) \(text)"
    } else {
      text += "; Ctrl-C ends it"
    }
    StandardOutput.tell("\r\(text)\u{1b}[K")
    isShown = true
  }

  /// A message of its own.
  mutating func say(_ text: String) {
    clear()
    StandardOutput.complain(text)
  }

  /// Takes the line away.
  mutating func clear() {
    if isShown { StandardOutput.tell("\r\u{1b}[K") }
    isShown = false
  }
}
