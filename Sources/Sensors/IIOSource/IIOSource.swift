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
  package internal(set) var settlingDropped = 0

  /// With patience the loop is not woken by each scan of a device that stamps them.
  package var patienceNanoseconds: Int64 {
    get { drainPlan.patience }
    set {
      guard newValue != drainPlan.patience else { return }
      drainPlan.patience = newValue
      wakeForEachScan()
    }
  }

  package var wantsAcceleration = false {
    didSet { if wantsAcceleration != oldValue { accelerationWishDidChange() } }
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
  var scans: IOSource?
  /// CLOCK_MONOTONIC of the last wake-up with scans.
  var lastArrival: Int64 = 0
  /// Whether the buffer was switched off and on since there were scans: what helps next is a new opening.
  var bufferWasReset = false
  /// Whether a polled read hangs, and that has been said.
  var isSilent = false
  /// Reads an accelerometer beside the gyroscope; made when somebody wants that.
  var accelerometer: AccelerometerWorker?
  /// Whether it is wanted to.
  var isReadingAccelerometer = false
  /// Puts accelerations that it reads to the samples.
  var merge = AccelerationMerge()
  /// Where samples of the worker's ring are put in a row; made when there are some.
  var batch: UnsafeMutablePointer<RawSample>?

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
  var silence: TimerSource?
  /// Empties the kernel's buffer.
  var draining: TimerSource?
  /// And when.
  var drainPlan = DrainPlan()

  /// - Parameters:
  ///   - motion: its update interval and gap limit say how often a polled sensor is read.
  ///   - statePlace: where it is written down what was changed on a device; what an earlier run has left there is
  ///     put back now.
  package init(
    _ loop: EventLoop, sensor: SensorSettings, motion: MotionSettings, statePlace: StatePlace?
  ) throws(SystemError) {
    self.loop = loop
    configuration = IIOConfiguration(sensor: sensor, motion: motion, statePlace: statePlace)
    worker = try SensorWorker()
    description.uri = sensor.uriInUse
    description.frequencyAsked = configuration.frequencyAsked
    retry = try TimerSource(loop) { [unowned self] in
      isTryingSoon = false
      if state == .waiting { open() }
    }
    bufferRetry = try TimerSource(loop) { [unowned self] in tryBuffer() }
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
    accelerometer?.post(.quit)
    batch?.deallocate()
  }

  package func start() {
    guard state == .idle else { return }
    configuration.history.sleep()
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
    silence?.arm(afterNanoseconds: configuration.openingLimitNanoseconds)
    worker.post(.open(generation: generation, configuration))
  }

  private func hear() {
    worker.reports.clearSignal()
    while let report = worker.reports.take() {
      switch report {
      case .opened(let generation, let description, let handOver, let start):
        guard generation == self.generation, state == .opening else { continue }
        opened(description, handOver, samplesFrom: start)
      case .noticed(let generation, let notice):
        guard generation == self.generation, state == .running else { continue }
        heed(notice)
      case .failed(let generation, let failure):
        guard generation == self.generation, state == .opening || state == .running else { continue }
        fail(failure)
      case .acceleration(let generation, let way, let warnings):
        guard generation == self.generation, state == .running else { continue }
        accelerationComes(way, warnings)
      case .noAcceleration(let generation, let trouble):
        guard generation == self.generation, isReadingAccelerometer else { continue }
        accelerationEnds(trouble)
      case .buffer(let generation, let isFree):
        guard generation == self.generation, state == .running else { continue }
        bufferWasTried(isFree: isFree)
      case .closed(let id):
        guard let index = stops.firstIndex(where: { $0.id == id }) else { continue }
        stops.remove(at: index).stopped()
      }
    }
    takeFromRing()
  }

  private func opened(_ description: SensorDescription, _ handOver: ReaderHandOver?, samplesFrom start: Int) {
    self.description = description
    state = .running
    bufferWasReset = false
    // What is left of an earlier session; the first of this one may be there already.
    worker.ring.clear(before: start)
    merge.clear(accelerometer?.samples)
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
    lastArrival = MonotonicClock.nanoseconds
    silence?.disarm()
    // The refills of another machine have a time limit of their own.
    if reader != nil || isPolled { silence?.arm(atMonotonicNanoseconds: lastArrival + silenceLimit) }
    expectBuffer()
    delegate?.sensorDidOpen(self.description)
    // The delegate may have stopped it.
    if state == .running { readAccelerometer() }
  }

  func fail(_ failure: SensorFailure) {
    let isOurs = reader != nil
    letGo()
    // Raw reads are no way either.
    if state == .opening || isPolled { configuration.history.forgetSilence() }
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

  /// Scans come, but not as they should.
  func heed(_ notice: ScanReader.Notice) {
    switch notice {
    case .stall(let stall): standsStill(stall)
    case .wrongStamps:
      configuration.history.distrustStamps(of: description.key)
      reopen()
    }
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
      configuration.history.stalls.stalls += 1
      configuration.history.stalls.suspect = stall.raw
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
    bufferRetry?.disarm()
    leaveAccelerometer()
    description.bufferRetryAtNanoseconds = nil
    isSilent = false
    reader = nil
  }

  /// `bmi160`, or what else it is called.
  var title: String { description.name ?? description.id ?? "the sensor" }
}
