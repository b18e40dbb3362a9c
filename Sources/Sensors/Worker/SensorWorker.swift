import CLinux
import IIO
import Linux
import Motion
import Synchronization

/// The thread that does what in libiio can block: opening and closing, attributes, polled reads, refills from
/// another machine. It sleeps in a read of its eventfd while there is nothing to do.
///
/// Commands are done one after another, each is answered by one report, and samples come by `ring`. The other
/// thread is the loop's: it posts commands, and looks for reports and samples when `reports` is signalled.
///
/// Sendable, since what both threads touch is a mailbox, a lock-free ring, an atomic, or behind a mutex
/// (`refilling`); the session is the worker thread's alone.
final class SensorWorker: @unchecked Sendable {
  enum Command: Sendable {
    /// Answered by `opened` or `failed`, and later perhaps by `failed` again.
    case open(generation: UInt64, IIOConfiguration)
    /// Answered by `closed` where there is an id, whether something was open or not.
    case close(id: UInt64?)
    /// Puts back what an earlier run has left changed on this machine's devices; not answered.
    case recover(StatePlace)
    /// Switches the open buffer, which the loop goes on reading, off and on; answered by `failed` where that
    /// fails.
    case resetBuffer(generation: UInt64)
    case quit
  }

  enum Report: Sendable {
    /// The loop reads the buffer that is handed over; without one samples come by the ring, from this place on.
    case opened(generation: UInt64, SensorDescription, ReaderHandOver?, samplesFrom: Int)
    /// Nothing is open any more, and everything is as it was, unless the loop reads a buffer: it then has it
    /// closed.
    case failed(generation: UInt64, SensorFailure)
    /// It stays open, but cannot go on so.
    case noticed(generation: UInt64, ScanReader.Notice)
    case closed(id: UInt64)
    /// How accelerations come that are read one by one, and what somebody should see to.
    case acceleration(generation: UInt64, way: String, warnings: [String])
    /// Why they come no more.
    case noAcceleration(generation: UInt64, String)
    /// Whether the buffer of the polled sensor is there for us: the answer of `askForBuffer`.
    case buffer(generation: UInt64, isFree: Bool)
  }

  /// A refill in progress that the loop may end.
  ///
  /// Sendable, since the mutex around it is held while the reader is cancelled, and the worker takes it out
  /// before it destroys the reader.
  private struct Refilling: @unchecked Sendable { let reader: UnsafeMutablePointer<ScanReader> }

  /// Samples of polled and remote sensors.
  let ring = SampleRing(capacity: SensorWorker.ringCapacity)
  static let ringCapacity = 1024
  /// Of those, how many were left out since the opening because the sensor had just been switched on.
  let settlingDropped = Atomic<Int>(0)

  /// For the loop; also signalled when there are samples in the ring.
  let reports: Mailbox<Report>
  let commands: Mailbox<Command>
  private let refilling = Guarded<Refilling?>(nil)
  private let bufferIsAskedFor = Atomic<Bool>(false)

  /// A sensor that is open.
  private struct Opened {
    let session: SensorSession
    let generation: UInt64
    let configuration: IIOConfiguration
  }

  /// Starts the thread; it ends by `quit`.
  init() throws(SystemError) {
    reports = try Mailbox(waits: false)
    commands = try Mailbox(waits: true)
    try DetachedThread.start("start the sensor's thread") { [self] in run() }
  }
}

// The loop's side.
extension SensorWorker {
  /// Gives the worker something to do; never waits.
  func post(_ command: Command) {
    commands.post(command)
    // A refill from another machine may wait for a long time.
    refilling.withLock { $0?.reader.pointee.cancel() }
  }

  /// Has a sensor that is polled looked at between two reads: may its buffer be used by now?
  func askForBuffer() {
    bufferIsAskedFor.store(true, ordering: .releasing)
    commands.signal()
  }
}

// The worker's side.
extension SensorWorker {
  private func run() {
    var opened: Opened?
    while true {
      switch nextCommand() {
      case .open(let generation, let configuration):
        opened?.session.close()
        opened = open(generation, configuration)
        if let opened { drive(opened) }
      case .close(let id):
        opened?.session.close()
        opened = nil
        if let id { reports.post(.closed(id: id)) }
      case .resetBuffer(let generation):
        do throws(SensorFailure) {
          try opened?.session.resetBuffer()
        } catch {
          reports.post(.failed(generation: generation, error))
        }
      case .recover(let place):
        guard StateRecovery.isNeeded(place), let context = try? Context(uri: nil) else { continue }
        StateRecovery.run(place, uri: "local:", context.devices)
      case .quit:
        opened?.session.close()
        return
      }
    }
  }

  /// Sleeps until there is one.
  private func nextCommand() -> Command {
    while true {
      if let command = commands.take() { return command }
      commands.clearSignal()
    }
  }

  private func open(_ generation: UInt64, _ configuration: IIOConfiguration) -> Opened? {
    do throws(SensorFailure) {
      let session = try SensorSession(configuration, isWanted: { commands.isEmpty })
      var handOver: ReaderHandOver?
      if case .loop(let own) = session.feed { handOver = own }
      reports.post(
        .opened(generation: generation, session.description, handOver, samplesFrom: ring.end))
      return Opened(session: session, generation: generation, configuration: configuration)
    } catch {
      reports.post(.failed(generation: generation, error))
      return nil
    }
  }

  /// Reads for the loop what the loop cannot read itself, until there is a command.
  private func drive(_ opened: Opened) {
    do throws(SensorFailure) {
      switch opened.session.feed {
      case .polled(let reader): try poll(reader, opened)
      case .refills(let reader): try refill(reader, opened.session, opened.generation)
      case .loop, nil: break
      }
    } catch {
      opened.session.close()
      reports.post(.failed(generation: opened.generation, error))
    }
  }

  private func refill(
    _ reader: UnsafeMutablePointer<ScanReader>, _ session: SensorSession, _ generation: UInt64
  ) throws(SensorFailure) {
    refilling.withLock { $0 = Refilling(reader: reader) }
    defer { refilling.withLock { $0 = nil } }
    while commands.isEmpty {
      do throws(IIOError) {
        let outcome = try reader.pointee.read(wakesAgain: true, now: { MonotonicClock.nanoseconds })
        settlingDropped.store(reader.pointee.settlingDropped, ordering: .relaxed)
        deliver(reader.pointee.samples, outcome.delivered)
        if let notice = outcome.notice { reports.post(.noticed(generation: generation, notice)) }
      } catch {
        if !commands.isEmpty { return }
        let title = session.description.name ?? session.description.id ?? "the sensor"
        let reason: SensorFailure.Reason = error.isSilent ? .noData : .noDevice
        let hint = error.isGone ? "; \(SensorFailure.staleList)" : ""
        throw SensorFailure(
          reason, "no scans from \(title) at \(session.description.uri ?? "") (\(error))\(hint)")
      }
    }
  }

  /// Reads at fixed times, so that the period does not drift; a time that has passed meanwhile is left out.
  private func poll(_ polled: PolledReader, _ opened: Opened) throws(SensorFailure) {
    let (generation, configuration) = (opened.generation, opened.configuration)
    var reader = polled
    bufferIsAskedFor.store(false, ordering: .relaxed)
    let timer: PeriodicTimer
    do throws(SystemError) {
      timer = try PeriodicTimer(nanoseconds: configuration.pollPeriodNanoseconds, startsAtOnce: true)
    } catch {
      throw SensorFailure(.noData, "\(reader.gyroscope.title) cannot be polled (\(error))")
    }
    var lastGood = MonotonicClock.nanoseconds
    while true {
      guard timer.wait(orReadable: commands.descriptor) else {
        // The event may be that of a command done before.
        commands.clearSignal()
        if !commands.isEmpty { return }
        lookAtBuffer(of: reader.gyroscope.device, generation)
        continue
      }
      do throws(IIOError) {
        var sample = try reader.read()
        lastGood = MonotonicClock.nanoseconds
        let counts = reader.intake.admits(&sample, arrival: lastGood)
        settlingDropped.store(reader.intake.settling.dropped, ordering: .relaxed)
        if counts { deliver(&sample, 1) }
        if let stall = reader.intake.takeStall() {
          reports.post(.noticed(generation: generation, .stall(stall)))
        }
      } catch {
        // A single read may fail on a sensor that is fine.
        let silence = MonotonicClock.nanoseconds - lastGood
        if error.isGone || error.isPermission || silence >= configuration.sensor.readTimeoutNanoseconds {
          throw SensorFailure(error, reader.gyroscope.title)
        }
      }
    }
  }

  /// Whether the buffer of a polled sensor may be used by now, where that is asked for.
  private func lookAtBuffer(of device: Device, _ generation: UInt64) {
    guard bufferIsAskedFor.exchange(false, ordering: .acquiring) else { return }
    let isFree = device.mayUseBuffer && (try? device.probeNode()) != nil
    reports.post(.buffer(generation: generation, isFree: isFree))
  }

  private func deliver(_ samples: UnsafeMutablePointer<RawSample>, _ count: Int) {
    guard count > 0 else { return }
    // A loop that is a thousand samples late loses the newest ones: it starts a new stream then anyway.
    for index in 0..<count where !ring.push(samples[index]) { break }
    reports.signal()
  }
}
