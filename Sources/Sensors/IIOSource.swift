import EventLoop
import IIO
import Linux
import Motion
import Settings

/// A gyroscope that libiio reads.
///
/// Lives on the loop's thread. What can block is done by a `SensorWorker`; the scans of a local buffer are
/// read here, from the descriptor to the delegate in one go. The buffer is then the loop's, until the worker
/// is told to close it (see `ReaderHandOver`).
package final class IIOSource: SensorSource {
  enum State {
    case idle
    /// The worker is at it.
    case opening
    case running
    /// It failed; perhaps a timer starts the next attempt.
    case waiting
  }

  package internal(set) var description = SensorDescription()
  package unowned var delegate: (any SensorDelegate)?

  /// Scans that were left out because the sensor had just been switched on, at its last opening.
  package private(set) var settlingDropped = 0

  /// With patience the loop is not woken by each scan of a device that stamps them (see `DrainInterval`).
  package var patienceNanoseconds: Int64 = 0 {
    didSet { if patienceNanoseconds != oldValue { planDraining() } }
  }

  let loop: EventLoop
  var configuration: IIOConfiguration
  let worker: SensorWorker
  var state = State.idle
  /// Counts openings: what belongs to an earlier one is not heard.
  var generation: UInt64 = 0
  var backoff = Backoff()
  /// Who waits for the sensor to have been given back.
  private var stops: [(id: UInt64, stopped: () -> Void)] = []
  private var lastStop: UInt64 = 0

  /// Of a local buffer, while it is the loop's.
  var reader: UnsafeMutablePointer<ScanReader>?
  private var scans: IOSource?
  /// From one emptying of the kernel's buffer to the next; nil where each scan wakes the loop.
  private var drainInterval: Int64?
  /// CLOCK_MONOTONIC of the last wake-up with scans.
  private var lastArrival: Int64 = 0
  /// Whether the buffer was switched off and on since there were scans: what helps next is a new opening.
  var bufferWasReset = false
  /// Whether a polled read hangs, and that has been said.
  private var isSilent = false
  /// Where samples of the worker's ring are put in a row; made when there are some.
  private var batch: UnsafeMutablePointer<RawSample>?

  private var reports: IOSource?
  /// Starts the next attempt.
  var retry: TimerSource?
  /// Tells of devices that come and go as long as the sensor is wanted; nil where nobody does.
  var monitor: DeviceMonitor?
  /// Whether there was news that an opening in progress may not have seen.
  var hasNews = false
  /// Whether an attempt is due because of news.
  var isTryingSoon = false
  /// Looks whether the buffer of a polled sensor may be used by now.
  var bufferRetry: TimerSource?
  var bufferBackoff = Backoff()
  /// Looks whether scans still come. It is not set anew at each scan: that would cost a call each.
  private var silence: TimerSource?
  /// Empties the kernel's buffer.
  private var draining: TimerSource?

  /// - Parameters:
  ///   - motion: its update interval and gap limit say how often a polled sensor is read.
  ///   - statePlace: where it is written down what was changed on a device; what an earlier run has left there is
  ///     put back now.
  package init(
    _ loop: EventLoop, sensor: SensorSettings, motion: MotionSettings, statePlace: StatePlace?
  ) throws(SystemError) {
    self.loop = loop
    var configuration = IIOConfiguration(sensor: sensor, motion: motion)
    configuration.statePlace = statePlace
    self.configuration = configuration
    worker = try SensorWorker()
    description.uri = sensor.uri ?? "local:"
    description.frequencyAsked = configuration.frequencyAsked
    retry = try TimerSource(loop) { [unowned self] in
      isTryingSoon = false
      if state == .waiting { open() }
    }
    bufferRetry = try TimerSource(loop) { [unowned self] in
      if state == .running { worker.askForBuffer() }
    }
    silence = try TimerSource(loop, priority: .sensor) { [unowned self] in checkSilence() }
    draining = try TimerSource(loop, priority: .sensor) { [unowned self] in emptyBuffer() }
    reports = try IOSource(
      loop, descriptor: worker.reports.descriptor, events: .readable, priority: .sensor
    ) { [unowned self] _ in
      hear()
    }
    if let statePlace { worker.post(.recover(statePlace)) }
  }

  /// The worker still puts back what was changed, and ends.
  deinit {
    scans?.cancel()
    reports?.cancel()
    worker.post(.quit)
    batch?.deallocate()
  }

  package func start() {
    guard state == .idle else { return }
    configuration.stalls = StallDetector.History()
    backoff.reset()
    bufferBackoff.reset()
    listenForDevices()
    open()
  }

  package func stop(_ stopped: @escaping () -> Void) {
    letGo()
    retry?.disarm()
    isTryingSoon = false
    monitor = nil
    generation += 1
    state = .idle
    lastStop += 1
    stops.append((lastStop, stopped))
    worker.post(.close(id: lastStop))
  }
}

// Opening, failing, and what the worker says.
extension IIOSource {
  func open() {
    generation += 1
    state = .opening
    hasNews = false
    worker.post(.open(generation: generation, configuration))
  }

  private func hear() {
    worker.reports.clearSignal()
    while let report = worker.reports.take() {
      switch report {
      case .opened(let generation, let description, let handOver):
        guard generation == self.generation, state == .opening else { continue }
        opened(description, handOver)
      case .stalled(let generation, let stall):
        guard generation == self.generation, state == .running else { continue }
        standsStill(stall)
      case .failed(let generation, let failure):
        guard generation == self.generation, state == .opening || state == .running else { continue }
        fail(failure)
      case .buffer(let generation, let isFree):
        guard generation == self.generation, state == .running else { continue }
        bufferWasTried(isFree: isFree)
      case .closed(let id):
        guard let index = stops.firstIndex(where: { $0.id == id }) else { continue }
        stops.remove(at: index).stopped()
      }
    }
    drain()
  }

  private func opened(_ description: SensorDescription, _ handOver: ReaderHandOver?) {
    self.description = description
    state = .running
    bufferWasReset = false
    // What is left of an earlier session; of this one at most a few samples.
    worker.ring.clear()
    if let handOver {
      reader = handOver.reader
      do throws(SystemError) {
        scans = try IOSource(
          loop, descriptor: handOver.descriptor, events: .readable, priority: .sensor
        ) { [unowned self] events in
          scansCame(events)
        }
      } catch {
        return fail(SensorFailure(.noDevice, "the scans of \(title) cannot be watched (\(error))"))
      }
    }
    planDraining()
    lastArrival = MonotonicClock.nanoseconds
    // The refills of another machine have a time limit of their own.
    if reader != nil || isPolled { silence?.arm(atMonotonicNanoseconds: lastArrival + silenceLimit) }
    expectBuffer()
    delegate?.sensorDidOpen(self.description)
  }

  func fail(_ failure: SensorFailure) {
    let isOurs = reader != nil
    letGo()
    if isOurs { worker.post(.close(id: nil)) }
    generation += 1
    state = .waiting
    var failure = failure
    if failure.reason != .configuration || hasNews {
      let delay = hasNews ? Self.newsDelayNanoseconds : backoff.delay()
      failure.retryInNanoseconds = delay
      retry?.arm(afterNanoseconds: delay)
    }
    delegate?.sensorDidFail(failure)
  }

  /// Scans come, and are all the same. Once it is opened anew, which helps after a wake; then it stays open
  /// until a scan differs.
  private func standsStill(_ stall: StallDetector.Stall) {
    let failure = SensorFailure(stall, title)
    if stall.isOld {
      // A polled sensor's samples are missed otherwise.
      isSilent = isPolled
      if isPolled { silence?.disarm() }
      delegate?.sensorDidFail(failure)
    } else {
      configuration.stalls.stalls += 1
      configuration.stalls.suspect = stall.raw
      if reader == nil { worker.post(.close(id: nil)) }
      fail(failure)
    }
  }

  /// Touches the buffer no more: the worker may have it.
  func letGo() {
    scans?.cancel()
    scans = nil
    silence?.disarm()
    draining?.disarm()
    drainInterval = nil
    bufferRetry?.disarm()
    description.bufferRetryAtNanoseconds = nil
    isSilent = false
    reader = nil
  }

  /// `bmi160`, or what else it is called.
  var title: String { description.name ?? description.id ?? "the sensor" }
}

// Samples.
extension IIOSource {
  private func scansCame(_ events: IOSource.Events) {
    guard let received = readScans() else { return }
    guard received == 0 else { return rest() }
    // A descriptor that has failed would wake the loop for ever.
    if events.contains(.hangUp) || events.contains(.error) {
      fail(SensorFailure(.noDevice, "\(title) is gone: plug it in again"))
    }
  }

  /// Reads what has come and hands it on; how many scans, or nil where that ended in a failure.
  private func readScans() -> Int? {
    guard let reader else { return nil }
    do throws(IIOError) {
      let outcome = try reader.pointee.read(now: { MonotonicClock.nanoseconds })
      guard outcome.received > 0 else { return 0 }
      lastArrival = outcome.arrival
      settlingDropped = reader.pointee.settlingDropped
      if outcome.delivered > 0 {
        configuration.stalls.suspect = nil
        backoff.reset()
        bufferWasReset = false
        delegate?.sensorDidRead(UnsafeBufferPointer(start: reader.pointee.samples, count: outcome.delivered))
      }
      // The delegate may have stopped it.
      if let stall = outcome.stall, state == .running { standsStill(stall) }
      return outcome.received
    } catch {
      fail(SensorFailure(error, title))
      return nil
    }
  }

  /// Samples that the worker has read.
  private func drain() {
    guard state == .running, reader == nil else { return }
    let room = SensorWorker.ringCapacity
    let batch = self.batch ?? .allocate(capacity: room)
    self.batch = batch
    let count = worker.ring.take(into: batch, room: room)
    guard count > 0 else { return }
    settlingDropped = worker.settlingDropped.load(ordering: .relaxed)
    lastArrival = MonotonicClock.nanoseconds
    configuration.stalls.suspect = nil
    backoff.reset()
    delegate?.sensorDidRead(UnsafeBufferPointer(start: batch, count: count))
    guard isSilent, state == .running else { return }
    isSilent = false
    silence?.arm(atMonotonicNanoseconds: lastArrival + silenceLimit)
  }

  private var isPolled: Bool { description.mode == "poll" }

  /// `read_timeout`, but of a slow sensor the time of three scans: one that is on time is not silent.
  private var silenceLimit: Int64 {
    let timeout = configuration.sensor.readTimeoutNanoseconds
    if isPolled {
      // The loop does not see what is left out for settling.
      return max(timeout, 3 * configuration.pollPeriodNanoseconds)
        + configuration.sensor.settleTimeNanoseconds
    }
    let frequency = description.frequencySet ?? 0
    return max(timeout, frequency > 0 ? Int64(min(3e9 / frequency, 3600e9)) : 0)
  }

  /// An unplugged device does not wake the loop: after `read_timeout` without scans it is asked. A polled read
  /// that hangs cannot be: that is said, and it goes on when the driver answers.
  private func checkSilence() {
    guard state == .running, reader != nil || isPolled else { return }
    let timeout = silenceLimit
    if MonotonicClock.nanoseconds - lastArrival >= timeout {
      let seconds = Double(timeout) / 1e9
      guard reader != nil else {
        isSilent = true
        delegate?.sensorDidFail(
          SensorFailure(
            .noData, "a read of \(title) has not been answered for \(seconds) s: its driver hangs"))
        return
      }
      guard let received = readScans() else { return }
      if received == 0 {
        let failure = SensorFailure(
          .noData, "no scans from \(title) for \(seconds) s: its trigger may stand still")
        guard !bufferWasReset else { return fail(failure) }
        resetBuffer(failure, nextAttemptNanoseconds: timeout)
        lastArrival = MonotonicClock.nanoseconds
      }
    }
    // The delegate may have stopped it.
    if state == .running { silence?.arm(atMonotonicNanoseconds: lastArrival + timeout) }
  }
}

// Scans in portions.
extension IIOSource {
  private func planDraining() {
    drainInterval = nil
    draining?.disarm()
    scans?.events = .readable
    guard let reader, reader.pointee.hasStampsOfOurClock else { return }
    drainInterval = DrainInterval.nanoseconds(
      patience: patienceNanoseconds, spacing: reader.pointee.spacing, capacity: reader.pointee.kernelScans)
  }

  /// After scans have come, the first ones of a sensor too: until the next portion none wakes the loop.
  private func rest() {
    guard let drainInterval, scans?.events == .readable else { return }
    scans?.events = []
    draining?.arm(afterNanoseconds: drainInterval)
  }

  /// Takes all that has come meanwhile.
  private func emptyBuffer() {
    var received = 0
    repeat {
      guard let count = readScans() else { return }
      received += count
      if count < ScanReader.capacity { break }
    } while drainInterval != nil
    // The delegate may have stopped it, or have become impatient.
    guard let drainInterval, let reader else { return }
    if DrainInterval.isTooFull(received: received, capacity: reader.pointee.kernelScans) {
      self.drainInterval = nil
      scans?.events = .readable
    } else {
      draining?.arm(afterNanoseconds: drainInterval)
    }
  }
}
