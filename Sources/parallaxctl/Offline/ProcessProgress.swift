import Linux

/// A bar on standard error, for somebody who waits longer than a second.
struct ProcessProgress {
  private let isWanted: Bool
  /// When it is drawn next, CLOCK_MONOTONIC.
  private var next: Int64
  private var line = RenewedLine()

  private static let width = 40

  /// - Parameter isWanted: false where rows and bar would meet on one terminal.
  init(isWanted: Bool) {
    self.isWanted = isWanted && line.isTerminal
    next = MonotonicClock.nanoseconds + 1_000_000_000
  }

  /// Draws the bar where it is time; cheap enough to be asked every few thousand rows.
  mutating func step(done: Int64, of total: Int64) {
    guard isWanted else { return }
    let now = MonotonicClock.nanoseconds
    guard now >= next else { return }
    next = now + 100_000_000
    let share = total > 0 ? min(1, Double(done) / Double(total)) : 0
    line.show("\(ProgressBar.text(share: share, width: Self.width)) \(Int(share * 100)) %")
  }

  /// Takes the bar away.
  mutating func clear() { line.clear() }
}
