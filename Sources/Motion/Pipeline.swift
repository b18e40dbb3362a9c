/// Samples of a gyroscope in, offsets of content out: the processing order of the motion contract.
///
/// Pure: the same samples and settings give the same offsets bit for bit, live or replayed. Time comes with
/// the samples and is never read. A sample costs constant time (plus the updates it owes, whose number the
/// gap limit bounds) and no allocation. All arithmetic is in Double and runs from left to right.
///
/// Whatever the input, the offset stays finite: see `Pipeline.rateBound`.
package struct Pipeline: Sendable {
  /// How often what happened, since the pipeline was made.
  package struct Counters: Equatable, Sendable {
    /// Streams that began in the midst of samples.
    package var breaks: Int64 { gaps &+ clockSteps }
    /// Samples that were accepted.
    package var samples: Int64 = 0
    /// Updates, each of those that one event stands for.
    package var updates: Int64 = 0
    /// Samples dropped for their values, for the driver's no-data mark, or for an impossible timestamp.
    package var invalid: Int64 = 0
    /// Samples dropped because they were not later than the one before.
    package var outOfOrder: Int64 = 0
    /// Streams that began because the clock went back by more than the gap limit.
    package var clockSteps: Int64 = 0
    /// Streams that began because no sample had come for longer than the gap limit.
    package var gaps: Int64 = 0

    package init() {}
  }

  package internal(set) var settings: MotionSettings
  package private(set) var model: SensorModel
  package internal(set) var counters = Counters()

  /// The state, not scaled by reduced motion.
  package internal(set) var offset = Offset.neutral
  /// Index of the last update; −1 before the first.
  package internal(set) var sequence: Int64 = -1
  /// Of the newest sample in the last update; 0 before the first.
  package internal(set) var timestampNanoseconds: Int64 = 0

  /// By how much the last update moved the offset, as points per second of the sample time since the update
  /// before; not scaled by reduced motion. Neutral where there is no update before it in the same stream,
  /// and after the offset was set by hand. Nothing is computed from it.
  package internal(set) var velocity = Offset.neutral

  /// Step 4: −1 to 1 along each axis, signs as the offset's; not scaled by reduced motion.
  package var tilt: Tilt { tiltAngle.tilt(of: settings.tilt.range) }
  /// Its state.
  package internal(set) var tiltAngle = TiltAngle.neutral
  /// Whether the tilt is kept. Where nobody sees it, it need not be: it costs an exponential a sample, and nothing else
  /// depends on it.
  package var keepsTilt = true
  /// What gravity has to say to it.
  var gravity = GravityFilter()
  /// Whether an accelerometer steadies the tilt just now.
  package var tiltUsesGravity: Bool { gravity.isRunning }
  /// m/s² of the newest acceleration, where that is no gravity.
  package var unusableAcceleration: Double? { gravity.unusable }
  /// Whether accelerations stay the same, bit for bit, while the device turns.
  package var accelerationIsStuck: Bool { gravity.isStuck }

  /// What the last update did, for those who have an offset of their own. Nothing is computed from it here.
  package internal(set) var movement = Movement()

  /// ω of the newest sample (smoothed where that is on), before the dead zone, rad/s in the picture's
  /// frame. nil until a stream's first sample.
  package var rate: Vector3? { beginsAnew ? nil : newestRate }

  /// What is subtracted from the next sample, rad/s in the sensor's own frame.
  package internal(set) var bias = Vector3.zero
  /// Fed in `.auto` alone; what it has learned stays whatever is configured meanwhile.
  var estimator: BiasEstimator

  /// R·A·M, computed as (R·A)·M; R and A only permute and negate, so the grouping changes no bit.
  var product: Matrix3
  /// The same of the accelerometer; nil where there is none to be used.
  var accelerationProduct: Matrix3?
  /// G: a longer silence ends the stream.
  var gapLimit: Int64
  var grid: UpdateGrid
  /// The time of the last accepted sample; while `beginsAnew` only the tilt's fading is reckoned from it.
  var newestSample: Int64 = 0
  var newestRate = Vector3.zero
  /// Whether the next sample begins a new stream whatever its time.
  var beginsAnew = true
  /// Samples since the last update: Σω, their number, and the angle turned about x and y.
  var pendingSum = Vector3.zero
  var pendingCount: Int64 = 0
  var pendingAngle = Vector3.zero

  package init(settings: MotionSettings, model: SensorModel) {
    self.settings = settings
    self.model = model
    product = Self.product(settings, model)
    accelerationProduct = Self.accelerationProduct(settings, model)
    gapLimit = Self.gapLimit(settings, model)
    grid = UpdateGrid(interval: settings.updateIntervalNanoseconds)
    estimator = BiasEstimator(maxBias: settings.maxBias)
    chooseBias()
  }

  /// A reload. Offset, sequence, timestamps and counters stay; an offset beyond a smaller limit is brought
  /// inside by the next update.
  ///
  /// Other axes or another screen rotation begin a new stream, since rates of two frames do not mix. Anything
  /// else leaves the stream alone: a new bias holds from the next sample on, and after a new update interval
  /// the grid goes on from the last update in the new steps, owing nothing for time already gone.
  package mutating func reconfigure(settings newSettings: MotionSettings) {
    if newSettings.axes != settings.axes || newSettings.screenRotation != settings.screenRotation {
      beginsAnew = true
      gravity.forget()
    }
    if newSettings.biasMode != settings.biasMode { estimator.discardOpenWindow() }
    settings = newSettings
    tiltAngle.clamp(to: settings.tilt.range)
    estimator.limit(to: newSettings.maxBias)
    chooseBias()
    deriveFromSettingsAndModel()
    grid.change(interval: settings.updateIntervalNanoseconds, newestSample: newestSample)
  }

  /// The sensor was opened (again): its samples are to be read so, and the next one begins a new stream.
  package mutating func adopt(model newModel: SensorModel) {
    // What gravity has learned is in the picture's frame.
    if newModel != model { gravity.forget() }
    model = newModel
    deriveFromSettingsAndModel()
    restart()
  }

  /// What `init` makes of both, made anew.
  private mutating func deriveFromSettingsAndModel() {
    product = Self.product(settings, model)
    accelerationProduct = Self.accelerationProduct(settings, model)
    gapLimit = Self.gapLimit(settings, model)
  }

  /// Goes on where another pipeline stood, inside this one's bounds; the next sample begins a new stream. Numbers that
  /// are not finite are ignored.
  package mutating func resume(sequence: Int64, timestampNanoseconds: Int64, offset: Offset, tilt: TiltAngle)
  {
    self.sequence = sequence
    self.timestampNanoseconds = timestampNanoseconds
    newestSample = timestampNanoseconds
    tiltAngle = tilt
    tiltAngle.clamp(to: settings.tilt.range)
    if offset.x.isFinite, offset.y.isFinite {
      let bound = settings.offsetBound
      self.offset = Offset(x: bound.clamped(offset.x), y: bound.clamped(offset.y))
    }
    restart()
  }

  /// The next sample begins a new stream whatever its time: after a suspend, at a lap of a replay loop. Of the bias the
  /// estimate and its variance are kept and nothing else: a fresh pipeline that adopts them says the same.
  package mutating func restart() {
    beginsAnew = true
    velocity = .neutral
    estimator.adopt(estimator.learned)
    chooseBias()
  }

  /// Moves the content by (x, y) points in screen direction, y down; kept inside ±limit. No gain, no
  /// largest step. Numbers that are not finite are ignored.
  package mutating func pan(x: Double, y: Double) {
    guard x.isFinite, y.isFinite else { return }
    velocity = .neutral
    let bound = settings.offsetBound
    offset.x = bound.clamped(offset.x + x)
    offset.y = bound.clamped(offset.y - y)
  }

  /// Offset and tilt become neutral; sequence and time stay.
  package mutating func recenter() {
    offset = .neutral
    tiltAngle = .neutral
    velocity = .neutral
  }

  private static func product(_ settings: MotionSettings, _ model: SensorModel) -> Matrix3 {
    Matrix3(screenRotation: settings.screenRotation) * settings.axes * model.mountMatrix
  }

  /// G = max(max_gap, 3·T, 3·nominal spacing). A sensor that claims less than a sample an hour is taken at
  /// one an hour: G bounds how many updates one sample may owe.
  private static func gapLimit(_ settings: MotionSettings, _ model: SensorModel) -> Int64 {
    var limit = max(settings.maxGapNanoseconds, 3 * settings.updateIntervalNanoseconds)
    if model.nominalFrequency > 0 {
      limit = max(limit, Int64(min(3e9 / model.nominalFrequency, 3 * 3600e9).rounded()))
    }
    return limit
  }
}
