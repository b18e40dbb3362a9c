/// How a recording goes, on standard error: a line that renews itself on a terminal, and messages.
struct RecordProgress {
  private let seconds: Double?
  private var line = RenewedLine()

  private static let width = 30

  /// - Parameter seconds: how long the recording is to be; with it there is a bar.
  init(seconds: Double?) { self.seconds = seconds }

  /// Renews the line.
  mutating func show(_ summary: Recording.Summary, at now: Int64) {
    guard line.isTerminal, summary.samples > 0 else { return }
    var text = summary.text
    if let seconds {
      text = "\(ProgressBar.text(share: summary.seconds / seconds, width: Self.width)) \(text)"
    } else {
      text += "; Ctrl-C ends it"
    }
    line.show(text)
  }

  /// A message of its own.
  mutating func say(_ text: String) {
    clear()
    StandardOutput.complain(text)
  }

  /// Takes the line away.
  mutating func clear() { line.clear() }
}
