import Motion

/// A value at a time.
struct TimedValue: Equatable, Sendable {
  /// Seconds.
  var time: Double
  var value: Double
}

/// What is left of a curve in a span of time: first, last, smallest and largest value. A line through these, in their
/// order, fills the same pixels as one through all where a span is no wider than a pixel (M4: Jugel, Jerzak,
/// Hackenbroich and Markl, VLDB 2014).
struct Envelope: Equatable, Sendable {
  private(set) var first: TimedValue
  private(set) var last: TimedValue
  private(set) var least: TimedValue
  private(set) var greatest: TimedValue

  init(_ value: Double, at time: Double) {
    let one = TimedValue(time: time, value: value)
    (first, last, least, greatest) = (one, one, one, one)
  }

  mutating func append(_ later: Envelope) {
    last = later.last
    if later.least.value < least.value { least = later.least }
    if later.greatest.value > greatest.value { greatest = later.greatest }
  }

  /// Those that differ, in the order of time.
  var points: [TimedValue] {
    let middle = least.time <= greatest.time ? [least, greatest] : [greatest, least]
    var points = [first]
    for point in middle + [last] where point.time > points[points.count - 1].time { points.append(point) }
    return points
  }
}

/// The rates in a span of time, and the bias that was taken off them.
struct RateBin: Binned {
  private(set) var x: Envelope
  private(set) var y: Envelope
  private(set) var z: Envelope
  /// rad/s in the picture's frame, at the end of the span.
  private(set) var bias: Vector3
  /// Whether no line leads to its first sample.
  let beginsStream: Bool

  init(_ rate: Vector3, bias: Vector3, at time: Double, beginsStream: Bool) {
    x = Envelope(rate.x, at: time)
    y = Envelope(rate.y, at: time)
    z = Envelope(rate.z, at: time)
    self.bias = bias
    self.beginsStream = beginsStream
  }

  mutating func append(_ later: RateBin) {
    x.append(later.x)
    y.append(later.y)
    z.append(later.z)
    bias = later.bias
  }
}
