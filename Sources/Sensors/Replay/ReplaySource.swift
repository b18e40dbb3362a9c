import EventLoop
import Linux
import Motion
import Settings
import Traces

/// A recording, or the synthetic demonstration, played as if it were a gyroscope.
///
/// In real time by default: a sample is delivered when as much time has passed since the first one as in the
/// recording, times the speed. Deadlines are absolute, so that nothing drifts. It keeps its place while it
/// is stopped and goes on from there. Lives on the loop's thread; no sample costs an allocation.
package final class ReplaySource: SensorSource {
  package unowned var delegate: (any SensorDelegate)?
  package private(set) var description = SensorDescription()
  /// A recording has settled.
  package let settlingDropped = 0
  /// Of no use here: a recording's samples come by a timer, which fires for each.
  package var patienceNanoseconds: Int64 = 0
  /// A recording's are always read.
  package var wantsAcceleration = false

  private enum State {
    case stopped
    /// `start()` was called; the answer is on its way.
    case starting
    case playing
    case ended
    case failed(SensorFailure)
  }

  /// Samples of one wake-up at most: sockets are served between two such turns.
  private static let batchCapacity = 64
  /// Nanoseconds that a lap takes at least where there is a pace: one row, or many of one time, would be played as often
  /// as the machine can, for ever.
  private static let shortestLap: Int64 = 10_000_000

  private let sensor: SensorSettings
  private var playback: Playback?
  private var state = State.stopped
  /// What a start after the end, or after a failure, is answered with.
  private var last: State?
  private var schedule: ReplaySchedule
  /// What is played next; `skipping`: it is still to be looked for.
  private var next = TraceReader.Row.skipping
  /// When the sample before it was taken, trace time; nil at the start, of a lap too.
  private var played: Int64?
  /// Samples of this lap so far.
  private var lapSamples = 0
  /// When it began, CLOCK_MONOTONIC in nanoseconds.
  private var lapBegan: Int64 = 0
  private let batch: UnsafeMutableBufferPointer<RawSample>
  private var stops: [() -> Void] = []

  /// Paces the samples in real time.
  private var clock: TimerSource?
  /// Plays as fast as it goes.
  private var work: IdleWorkSource?
  /// Answers `start()` and `stop()` from the loop.
  private var answer: TimerSource?

  /// - Parameter sensor: its backend is `replay`, with a file, or `demo`. The file is opened at the first
  ///   start.
  package init(_ loop: EventLoop, _ sensor: SensorSettings) throws(SystemError) {
    self.sensor = sensor
    schedule = ReplaySchedule(speed: sensor.replaySpeed)
    batch = .allocate(capacity: Self.batchCapacity)
    describe()
    clock = try TimerSource(loop, priority: .sensor) { [unowned self] in play() }
    work = try IdleWorkSource(loop) { [unowned self] in play() }
    answer = try TimerSource(loop) { [unowned self] in answerCalls() }
  }

  deinit { batch.deallocate() }

  package func start() {
    state = .starting
    answer?.arm(atMonotonicNanoseconds: 0)
  }

  package func stop(_ stopped: @escaping () -> Void) {
    state = .stopped
    clock?.disarm()
    work?.isEnabled = false
    stops.append(stopped)
    answer?.arm(atMonotonicNanoseconds: 0)
  }

  // MARK: Answers

  private func answerCalls() {
    let stopped = stops
    stops = []
    for call in stopped { call() }
    guard case .starting = state else { return }
    if case .ended = last { return end() }
    // A file that could not be opened may be there now; a broken row stays broken.
    if case .failed(let failure) = last, playback != nil { return fail(failure) }
    open()
  }

  private func open() {
    do throws(SensorFailure) {
      if playback == nil { playback = try Playback(sensor) }
    } catch {
      return fail(error)
    }
    describe()
    state = .playing
    played = nil
    if case .sample(let sample) = next {
      schedule.anchor(sample.timestampNanoseconds, at: MonotonicClock.nanoseconds)
    }
    delegate?.sensorDidOpen(description)
    // The delegate may have stopped us.
    if case .playing = state { proceed() }
  }

  private func end() {
    state = .ended
    last = state
    delegate?.sensorDidEnd()
  }

  private func fail(_ failure: SensorFailure) {
    state = .failed(failure)
    last = state
    delegate?.sensorDidFail(failure)
  }

  // MARK: Playing

  /// One wake-up: what is due is delivered at once.
  private func play() {
    let now = MonotonicClock.nanoseconds
    var count = 0
    var failure: SensorFailure?
    do throws(SensorFailure) {
      if case .skipping = next { try advance() }
      while count < batch.count, case .sample(let sample) = next,
        schedule.isDue(sample.timestampNanoseconds, at: now)
      {
        batch[count] = sample
        count += 1
        played = sample.timestampNanoseconds
        try advance()
      }
    } catch {
      failure = error
      next = .end
    }
    lapSamples += count
    description.skippedRows = playback?.skippedRows
    if count > 0 {
      _ = delegate?.sensorDidRead(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(batch)[..<count]))
    }
    guard case .playing = state else {
      // Stopped meanwhile; the broken row is not forgotten.
      if let failure { last = .failed(failure) }
      return
    }
    if let failure {
      halt()
      return fail(failure)
    }
    proceed()
  }

  /// Looks for the next sample, which broken rows may put off to another wake-up.
  private func advance() throws(SensorFailure) {
    next = try playback?.next() ?? .end
    guard case .sample(let sample) = next else { return }
    if let played {
      schedule.step(from: played, to: sample.timestampNanoseconds)
    } else {
      schedule.anchor(sample.timestampNanoseconds, at: MonotonicClock.nanoseconds)
    }
  }

  /// Arms what plays the next sample, begins the next lap, or ends.
  private func proceed() {
    switch next {
    case .sample(let sample):
      // What is due already waits for the others: at the sensor's priority a replay that is behind, or whose
      // laps take no time, would keep sockets and signals out for ever.
      let isBehind = schedule.isDue(sample.timestampNanoseconds, at: MonotonicClock.nanoseconds)
      work?.isEnabled = isBehind
      if !isBehind { clock?.arm(atMonotonicNanoseconds: schedule.deadline(of: sample.timestampNanoseconds)) }
    case .skipping: work?.isEnabled = true
    case .end:
      // A trace without a row would go round for ever.
      if sensor.replayLoop, lapSamples > 0 { return beginLap() }
      halt()
      end()
    }
  }

  private func halt() {
    clock?.disarm()
    work?.isEnabled = false
  }

  private func beginLap() {
    lapSamples = 0
    played = nil
    next = .skipping
    do throws(SensorFailure) {
      try playback?.rewind()
    } catch {
      halt()
      return fail(error)
    }
    let now = MonotonicClock.nanoseconds
    let due = lapBegan &+ Self.shortestLap
    let waits = schedule.isPaced && due > now
    lapBegan = waits ? due : now
    work?.isEnabled = !waits
    if waits { clock?.arm(atMonotonicNanoseconds: due) }
    delegate?.sensorDidRestart()
  }

  private func describe() {
    description.clock = "trace"
    if sensor.backend == .demo {
      description.name = Demonstration.name
      description.why = ["a modelled hand tilting a tablet: synthetic, no sensor is read"]
    } else {
      let path = sensor.replayFile ?? ""
      description.name = path.split(separator: "/").last.map(String.init)
      description.path = path
      description.why = ["plays a recording"]
    }
    guard let playback else { return }
    description.mode = "replay"
    description.model = playback.model
    description.skippedRows = playback.skippedRows
    if let format = playback.format {
      let of = playback.recordedSensor?.name.map { " of \($0)" } ?? ""
      description.why = ["plays a recording\(of), \(format.name)"]
    }
    description.recordingHasAcceleration = playback.hasAcceleration
    description.recordedBias = playback.recordedSensor?.recordedBias
    description.mountMatrixFrom = playback.hasOrientation ? "trace" : "none"
    if let matrix = sensor.mountMatrix {
      description.model.mountMatrix = matrix
      description.mountMatrixFrom = "configuration"
    }
    let frequency = description.model.nominalFrequency
    description.frequencySet = frequency > 0 ? frequency : nil
  }
}
