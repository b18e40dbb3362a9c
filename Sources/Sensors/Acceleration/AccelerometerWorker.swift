import IIO
import Linux
import Motion
import Synchronization

/// The thread that reads an accelerometer value after value, beside a gyroscope that the loop or the `SensorWorker`
/// reads. It has a context of its own: an accelerometer that hangs holds up nobody but this thread.
///
/// The loop never waits for it. Only the newest command counts, so one that comes late finds nothing to do. It sleeps in
/// a read of its eventfd while there is nothing to do.
final class AccelerometerWorker: Sendable {
  enum Command: Sendable {
    /// Answered by reports of `acceleration`.
    case read(generation: UInt64, AccelerometerPlace)
    case rest
    case quit
  }

  /// Nanoseconds that an answer may take: as with the setting up of a gyroscope, after more a driver hangs.
  static let patience: Int64 = 5_000_000_000

  /// Accelerations with their times.
  let samples = SampleRing(capacity: AccelerationMerge.capacity)
  private let commands: Mailbox<Command>
  private let reports: Mailbox<SensorWorker.Report>
  /// Since when an answer is waited for, CLOCK_MONOTONIC; 0: none is.
  private let askedAt = Atomic<Int64>(0)

  /// Starts the thread; it ends by `quit`.
  init(_ reports: Mailbox<SensorWorker.Report>) throws(SystemError) {
    self.reports = reports
    commands = try Mailbox(waits: true)
    try DetachedThread.start("start the accelerometer's thread") { [self] in run() }
  }
}

// The loop's side.
extension AccelerometerWorker {
  /// Gives it something else to do; never waits.
  func post(_ command: Command) { commands.post(command) }

  /// Whether an answer takes so long that none is to be expected.
  func hangs(at now: Int64) -> Bool {
    let since = askedAt.load(ordering: .relaxed)
    return since != 0 && now - since > Self.patience
  }
}

// The thread's side.
extension AccelerometerWorker {
  private func run() {
    while true {
      switch nextCommand() {
      case .read(let generation, let place): read(place, generation)
      case .rest: break
      case .quit: return
      }
    }
  }

  /// The newest; sleeps until there is one.
  private func nextCommand() -> Command {
    while true {
      var newest: Command?
      while let command = commands.take() { newest = command }
      if let newest { return newest }
      commands.clearSignal()
    }
  }

  /// Reads until there is a command. What fails is tried again from time to time, but for what only somebody can mend.
  private func read(_ place: AccelerometerPlace, _ generation: UInt64) {
    var backoff = Backoff()
    while commands.isEmpty {
      do throws(SensorFailure) {
        try poll(place, generation, &backoff)
      } catch {
        guard commands.isEmpty else { return }
        reports.post(.noAcceleration(generation: generation, error.text))
        guard error.reason != .configuration, let pause = try? PeriodicTimer(nanoseconds: backoff.delay())
        else {
          return
        }
        _ = sleeps(until: pause)
      }
    }
  }

  /// False where a command came first.
  private func sleeps(until timer: borrowing PeriodicTimer) -> Bool {
    while !timer.wait(orReadable: commands.descriptor) {
      // The event may be that of a command done before.
      commands.clearSignal()
      if !commands.isEmpty { return false }
    }
    return true
  }

  /// Returns where a command has come.
  private func poll(
    _ place: AccelerometerPlace, _ generation: UInt64, _ backoff: inout Backoff
  ) throws(SensorFailure) {
    defer { askedAt.store(0, ordering: .relaxed) }
    askedAt.store(MonotonicClock.nanoseconds, ordering: .relaxed)
    var polling = try AccelerationPolling(place)
    askedAt.store(0, ordering: .relaxed)
    let timer: PeriodicTimer
    do throws(SystemError) {
      timer = try PeriodicTimer(nanoseconds: Accelerometer.pollPeriodNanoseconds)
    } catch {
      throw SensorFailure(.noData, "there is no timer to read accelerations by (\(error))")
    }
    var isTold = false
    while sleeps(until: timer) {
      askedAt.store(MonotonicClock.nanoseconds, ordering: .relaxed)
      let acceleration = try polling.read()
      askedAt.store(0, ordering: .relaxed)
      // It may have hung for as long as it takes for something else to be wanted.
      guard commands.isEmpty else { return }
      if let acceleration {
        if !isTold {
          reports.post(
            .acceleration(generation: generation, way: AccelerationPolling.way, warnings: polling.warnings))
          isTold = true
          backoff.reset()
        }
        // A loop that does not take them has something worse to do.
        _ = samples.push(
          RawSample(
            timestampNanoseconds: MonotonicClock.nanoseconds, raw: .zero, acceleration: acceleration))
      }
    }
  }
}
