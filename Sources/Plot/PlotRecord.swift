import Motion

/// What a picture is drawn from: rates, bias and offset over time, in bounded memory however long it goes on.
package struct PlotRecord: Sendable {
  /// How a sample stands to the one before it.
  package enum Arrival: Sendable { case follows, afterGap, afterClockStep }

  /// Seconds since the first sample that are kept; what is outside only moves the time on.
  private let window: ClosedRange<Double>
  private(set) var rates: TimeBins<RateBin>
  private(set) var offsets: TimeBins<OffsetBin>
  private(set) var gaps = Interruptions()
  private(set) var clockSteps = Interruptions()
  /// Seconds of updates, in the order of time: one a span where there are many.
  private(set) var updateTimes: TimeBins<UpdateBin>
  private(set) var samples: Int64 = 0
  /// Updates, each of those that one event stands for.
  private(set) var updates: Int64 = 0

  private var hasBegun = false
  /// Nanoseconds of the sample that the time is counted from: the first, and the first after each clock step.
  private var origin: Int64 = 0
  /// Its time.
  private var originTime = 0.0
  /// Seconds since the first sample. A clock that is set back does not turn it back: it goes on.
  package private(set) var time = 0.0
  /// Whether the newest sample began a stream.
  private var beginsStream = true

  /// More than a picture has columns of pixels, twice.
  private static let capacity = 2 * 4096

  package init(window: ClosedRange<Double> = 0...Double.infinity) {
    self.window = window
    rates = TimeBins(capacity: Self.capacity)
    offsets = TimeBins(capacity: Self.capacity)
    updateTimes = TimeBins(capacity: Self.capacity)
  }

  /// Whether the window's end is reached.
  package var isComplete: Bool { time > window.upperBound }

  /// Whether it begins with the recording.
  var beginsAtStart: Bool { window.lowerBound == 0 }

  /// From the first sample that is kept to the last.
  var timeRange: AxisRange {
    AxisRange(rates.bins.first?.x.first.time ?? 0, rates.bins.last?.x.last.time ?? 0)
  }

  /// Whether there is enough for a curve.
  package var isDrawable: Bool { samples > 1 && rates.bins.count > 1 }

  /// A sample that the pipeline accepted.
  ///
  /// - Parameters:
  ///   - rate: rad/s in the picture's frame, as it is held against the threshold.
  ///   - bias: what was taken off it, in the same frame.
  package mutating func take(at nanoseconds: Int64, _ arrival: Arrival, rate: Vector3, bias: Vector3) {
    let before = time
    beginsStream = arrival != .follows || !hasBegun
    if !hasBegun || arrival == .afterClockStep { (origin, originTime) = (nanoseconds, before) }
    hasBegun = true
    time = originTime + Self.seconds(from: origin, to: nanoseconds)
    guard window.contains(time) else { return }
    if arrival != .follows {
      let one = Interruption(start: max(before, window.lowerBound), end: time)
      if arrival == .afterClockStep { clockSteps.add(one) } else { gaps.add(one) }
    }
    samples += 1
    let bin = RateBin(rate, bias: bias, at: time, beginsStream: beginsStream)
    rates.add(bin, at: time - window.lowerBound)
  }

  /// The update that the last sample brought about.
  ///
  /// - Parameters:
  ///   - offset: after it, as a subscriber sees it.
  ///   - count: how many it stands for.
  package mutating func take(_ offset: Offset, count: Int64) {
    guard window.contains(time) else { return }
    updates += count
    updateTimes.add(UpdateBin(time: time), at: time - window.lowerBound)
    offsets.add(OffsetBin(offset, at: time, beginsStream: beginsStream), at: time - window.lowerBound)
  }

  private static func seconds(from: Int64, to: Int64) -> Double {
    let (difference, overflow) = to.subtractingReportingOverflow(from)
    return overflow ? (Double(to) - Double(from)) / 1e9 : Double(difference) / 1e9
  }
}

/// That there was an update in a span of time: the first.
struct UpdateBin: Binned {
  /// Seconds.
  let time: Double

  mutating func append(_ later: UpdateBin) {}
}
