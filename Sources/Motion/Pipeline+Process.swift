import Glibc

extension Pipeline {
  /// A rate beyond this, rad/s, is as invalid as one that is not finite: no gyroscope turns so fast, and
  /// below it no sum, product or offset of the pipeline can overflow.
  static let rateBound = 1e100

  /// How a sample stands to the one before it.
  private enum Arrival {
    case begins
    case follows(delta: Int64)
    case afterGap
    case afterClockStep
    case outOfOrder
  }

  /// Takes one sample, in the order of arrival. Answers with the event it brought about, if any; a sample
  /// that is dropped changes nothing but a counter.
  package mutating func process(_ sample: RawSample) -> Update? {
    let scaled = scaledRate(of: sample)
    guard let measured = measuredRate(of: sample, scaled) else {
      counters.invalid &+= 1
      return nil
    }
    let timestamp = sample.timestampNanoseconds
    switch arrival(at: timestamp) {
    case .outOfOrder:
      counters.outOfOrder &+= 1
      return nil
    case .follows(let delta):
      learnBias(from: scaled, at: timestamp)
      return follow(measured, sample.acceleration, at: timestamp, delta: delta)
    case .begins: break
    case .afterGap: counters.gaps &+= 1
    case .afterClockStep: counters.clockSteps &+= 1
    }
    estimator.discardOpenWindow()
    learnBias(from: scaled, at: timestamp)
    return begin(measured, sample.acceleration, at: timestamp)
  }

  /// (raw + offset)·scale, the rate along the sensor's own axes before its bias.
  @inline(__always)
  package func scaledRate(of sample: RawSample) -> Vector3 {
    let raw = sample.raw
    return Vector3(
      (raw.x + model.offset.x) * model.scale.x, (raw.y + model.offset.y) * model.scale.y,
      (raw.z + model.offset.z) * model.scale.z)
  }

  /// ω = R·A·M·(scaled − bias); nil where the sample is invalid.
  ///
  /// Inlined, as is what else reads the state once a sample: a call would copy all of it.
  @inline(__always)
  private func measuredRate(of sample: RawSample, _ scaled: Vector3) -> Vector3? {
    let raw = sample.raw
    guard sample.timestampNanoseconds.magnitude <= UInt64(DecimalNanoseconds.limit) else { return nil }
    if let mark = model.noDataMark, raw.x == mark, raw.y == mark, raw.z == mark { return nil }
    let u = Vector3(scaled.x - bias.x, scaled.y - bias.y, scaled.z - bias.z)
    let rate = product * u
    // NaN compares false, and one infinite raw value makes every row infinite or NaN.
    let isUsable =
      rate.x.magnitude <= Self.rateBound && rate.y.magnitude <= Self.rateBound
      && rate.z.magnitude <= Self.rateBound
    return isUsable ? rate : nil
  }

  @inline(__always)
  private func arrival(at timestamp: Int64) -> Arrival {
    guard !beginsAnew else { return .begins }
    // Two valid stamps differ by at most 2^63, which only just does not fit.
    let (difference, overflow) = timestamp.subtractingReportingOverflow(newestSample)
    let delta = overflow ? .max : difference
    if delta > gapLimit { return .afterGap }
    if delta < -gapLimit { return .afterClockStep }
    return delta > 0 ? .follows(delta: delta) : .outOfOrder
  }

  /// The first sample of a stream: one update with its rate, and no angle yet.
  private mutating func begin(_ measured: Vector3, _ acceleration: Vector3?, at timestamp: Int64) -> Update {
    beginsAnew = false
    counters.samples &+= 1
    beginTilt(acceleration, after: Self.seconds(Self.elapsed(from: newestSample, to: timestamp)))
    newestSample = timestamp
    newestRate = measured
    pendingSum = measured
    pendingCount = 1
    pendingAngle = .zero
    grid.begin(at: timestamp)
    let update = makeUpdate(count: 1, gap: sequence >= 0)
    // How long this movement took is not known.
    velocity = .neutral
    return update
  }

  /// A sample `delta` nanoseconds after the one before it in the same stream.
  private mutating func follow(
    _ measured: Vector3, _ acceleration: Vector3?, at timestamp: Int64, delta: Int64
  ) -> Update? {
    counters.samples &+= 1
    newestSample = timestamp
    let seconds = Self.seconds(delta)
    let previous = newestRate
    newestRate = settings.smoothing > 0 ? smoothed(measured, after: seconds) : measured
    turnTilt(previous, newestRate, acceleration, for: seconds)
    pendingSum.x += newestRate.x
    pendingSum.y += newestRate.y
    pendingSum.z += newestRate.z
    pendingCount += 1
    // Trapezoids, with the dead zone per sample: the result does not depend on the update interval.
    pendingAngle.x += seconds * (settings.passed(previous.x) + settings.passed(newestRate.x)) / 2
    pendingAngle.y += seconds * (settings.passed(previous.y) + settings.passed(newestRate.y)) / 2
    let due = grid.take(at: timestamp, delta: delta)
    return due > 0 ? makeUpdate(count: due, gap: false) : nil
  }

  /// f + (1 − e^(−Δ/τ))·(ω − f).
  private func smoothed(_ measured: Vector3, after seconds: Double) -> Vector3 {
    let share = 1 - exp(-seconds / settings.smoothing)
    let f = newestRate
    return Vector3(
      f.x + share * (measured.x - f.x), f.y + share * (measured.y - f.y), f.z + share * (measured.z - f.z))
  }

  /// Moves the offset by what is pending, as `count` updates at the newest sample.
  private mutating func makeUpdate(count: Int64, gap: Bool) -> Update {
    let before = offset
    movement.kept = settings.recenterTime > 0 ? keptShare() : 1
    movement.step = pendingStep()
    movement.repetitions = settings.integration == .angle ? 1 : count
    movement.bound = settings.offsetBound
    offset.x *= movement.kept
    offset.y *= movement.kept
    // No `for`: in a debug build its iterator allocates, and allocations are counted there too.
    var repetitions = movement.repetitions
    while repetitions > 0 {
      offset.x = movement.bound.moved(offset.x, by: movement.step.x)
      offset.y = movement.bound.moved(offset.y, by: movement.step.y)
      repetitions -= 1
    }
    pendingSum = .zero
    pendingCount = 0
    pendingAngle = .zero
    sequence &+= count
    velocity = Self.velocity(from: before, to: offset, after: newestSample &- timestampNanoseconds)
    timestampNanoseconds = newestSample
    counters.updates &+= count
    return Update(
      sequence: sequence, timestampNanoseconds: newestSample, x: offset.x, y: offset.y, gap: gap,
      count: count)
  }

  /// Points per second; neutral where no time has passed.
  @inline(__always)
  private static func velocity(from: Offset, to: Offset, after elapsed: Int64) -> Offset {
    guard elapsed > 0 else { return .neutral }
    let seconds = seconds(elapsed)
    return Offset(x: (to.x - from.x) / seconds, y: (to.y - from.y) / seconds)
  }

  /// s: what one update (or the whole angle) moves the content by, points.
  @inline(__always)
  private func pendingStep() -> Offset {
    let turn: Vector3
    switch (settings.integration, settings.sample) {
    case (.angle, _):
      turn = pendingAngle
    case (.perUpdate, .latest):
      turn = Vector3(settings.passed(newestRate.x), settings.passed(newestRate.y), 0)
    case (.perUpdate, .mean):
      let count = Double(pendingCount)
      turn = Vector3(settings.passed(pendingSum.x / count), settings.passed(pendingSum.y / count), 0)
    }
    // The picture moves along x when the device turns about y, and along y when it turns about x.
    let x = turn.y * settings.multiplier * settings.gainX * (settings.invertX ? -1 : 1)
    let y = turn.x * settings.multiplier * settings.gainY * (settings.invertY ? -1 : 1)
    return Offset(x: x.clamped(to: settings.maxStep), y: y.clamped(to: settings.maxStep))
  }

  /// What the way back to neutral since the last event leaves; a clock that went back counts as no time.
  private func keptShare() -> Double {
    guard sequence >= 0 else { return 1 }
    let elapsed = Self.elapsed(from: timestampNanoseconds, to: newestSample)
    return exp(-Self.seconds(elapsed) / settings.recenterTime)
  }

  /// Nanoseconds; 0 where the clock went back.
  private static func elapsed(from: Int64, to: Int64) -> Int64 {
    let (difference, overflow) = to.subtractingReportingOverflow(from)
    return overflow ? .max : max(0, difference)
  }

  private static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }
}
