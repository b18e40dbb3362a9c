import Settings

/// When a sample of a recording is due: trace time mapped to CLOCK_MONOTONIC. Pure.
struct ReplaySchedule {
  /// Nanoseconds of waiting between two samples at most; a recorder that was off for a night is not waited
  /// for till morning.
  static let longestWait: Int64 = 60_000_000_000

  /// Trace seconds per second; nil: as fast as it goes.
  private let factor: Double?
  private var traceOrigin: Int64 = 0
  private var wallOrigin: Int64 = 0

  init(speed: SensorSettings.ReplaySpeed) {
    switch speed {
    case .factor(let factor): self.factor = factor
    case .max: factor = nil
    }
  }

  /// Whether samples wait for the clock.
  var isPaced: Bool { factor != nil }

  /// The sample stamped `traceTime` is due at `wallTime`, and the others accordingly.
  mutating func anchor(_ traceTime: Int64, at wallTime: Int64) {
    traceOrigin = traceTime
    wallOrigin = wallTime
  }

  /// Goes on to the next sample: a jump back is not waited for, and a long silence not longer than
  /// `longestWait`.
  mutating func step(from previous: Int64, to next: Int64) {
    guard isPaced else { return }
    let due = deadline(of: previous)
    if next <= previous {
      anchor(next, at: due)
    } else if deadline(of: next) &- due > Self.longestWait {
      anchor(next, at: due &+ Self.longestWait)
    }
  }

  /// CLOCK_MONOTONIC nanoseconds.
  func deadline(of traceTime: Int64) -> Int64 {
    guard let factor else { return wallOrigin }
    let (elapsed, overflow) = traceTime.subtractingReportingOverflow(traceOrigin)
    let wait = (overflow ? Double(Int64.max) : Double(elapsed)) / factor
    // Far above any wait and far below what overflows.
    return wallOrigin &+ Int64(min(max(wait, -1e18), 1e18))
  }

  func isDue(_ traceTime: Int64, at now: Int64) -> Bool { !isPaced || deadline(of: traceTime) <= now }
}
