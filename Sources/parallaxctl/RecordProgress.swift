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
      let share = min(1, max(0, summary.seconds / seconds))
      let full = Int(share * Double(Self.width))
      let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Self.width - full)
      text = "[\(bar)] \(text)"
    } else {
      text += "; Ctrl-C ends it"
    }
    write("\r\(text)\u{1b}[K")
    isShown = true
  }

  /// A message of its own.
  mutating func say(_ text: String) {
    clear()
    StandardOutput.complain(text)
  }

  /// Takes the line away.
  mutating func clear() {
    if isShown { write("\r\u{1b}[K") }
    isShown = false
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
