import Motion
import Wire

/// What a short while of the daemon's stream comes to: pure arithmetic over its events.
struct StreamFacts: Equatable, Sendable {
  /// Updates of a running sensor.
  var events = 0
  /// Of sample time.
  var seconds = 0.0
  var gaps = 0
  var dropped: Int64 = 0
  /// Whether rates came with them.
  var hasRates = false
  /// rad/s.
  var mean = Vector3.zero
  /// One standard deviation, rad/s.
  var deviation = Vector3.zero
  /// Whether every rate was bit for bit the same.
  var isFrozen = false

  /// Takes events in their order; only those of a running sensor count, and a gap only after the first.
  init(_ events: [MotionEvent]) {
    let running = events.filter { $0.state == .running && $0.timestampNanoseconds != 0 }
    self.events = running.count
    guard let first = running.first, let last = running.last else { return }
    seconds =
      Double(last.timestampNanoseconds.subtractingReportingOverflow(first.timestampNanoseconds).partialValue)
      / 1e9
    gaps = running.dropFirst().count { $0.gap }
    dropped = running.reduce(0) { $0 &+ $1.dropped }
    let rates = running.compactMap(\.rate)
    hasRates = !rates.isEmpty
    guard let firstRate = rates.first else { return }
    isFrozen = rates.allSatisfy { $0 == firstRate }
    (mean.x, deviation.x) = Self.spread(rates.map(\.x))
    (mean.y, deviation.y) = Self.spread(rates.map(\.y))
    (mean.z, deviation.z) = Self.spread(rates.map(\.z))
  }

  /// Mean and standard deviation, in two passes so that a large mean costs no digits.
  private static func spread(_ values: [Double]) -> (mean: Double, deviation: Double) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, values.count > 1 ? (squares / (count - 1)).squareRoot() : 0)
  }

  /// Above this deviation, rad/s, the device was not lying still: noise of the worst known parts is a tenth.
  static let motion = 0.05

  var wasMoved: Bool { max(deviation.x, deviation.y, deviation.z) > Self.motion }
}
