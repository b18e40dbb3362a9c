import CLinux
import EventLoop
import Glibc
import Handover
import Linux
import Motion
import Sensors
import Server
import Settings
import Wire

/// The wiring: settings, the sensor, the pipeline and the server, and what each does when another changes.
///
/// Everything here runs on the loop's thread.
final class Daemon {
  let loop: EventLoop
  let log: Log
  let manager: ServiceManager
  let options: DaemonOptions
  let server: Server

  var configuration: LoadedConfiguration
  var stage: MotionStage
  var lifecycle = Lifecycle()
  var source: any SensorSource
  /// A source that is still giving its sensor back; the next start waits for it.
  var retiring: (any SensorSource)?
  /// Says that it takes long; armed while a start waits.
  private var retirement: TimerSource?
  /// What the source said last, until it has scans again.
  var failure: (text: String, retryAtNanoseconds: Int64?)?
  /// The sensor that the pipeline's bias is of (`BiasStore.mark`); 0: none.
  var sensorMark: UInt64 = 0
  /// What is written down of it.
  var rememberedBias = Vector3.zero
  var hasFailedToRemember = false
  /// What was wrong with the sensor when it was opened last.
  var sensorWarnings: [String] = []
  /// What else was said of it, the newest last.
  var saidOfSensor: [String] = []
  /// What subscribers were told last.
  var presented: Presented?
  private var signals: [SignalSource] = []
  /// Where the socket is that this daemon made; nil after it has been removed.
  private var socketFile: ListeningSocket.Address?
  /// What the next daemon goes on from; nil where nobody keeps it.
  var handover: Handover?
  /// The system's bus and what is heard there; nil where there is none.
  var bus: SystemBus?
  var logind: Logind?
  var sensorProxy: BusName?
  /// Notices a suspend that nobody announced, while the sensor is on.
  var sleepWatch: SleepWatch?
  private let startedOnTerminal = isatty(STDERR_FILENO) == 1
  /// Ends calibrations that no sample comes for; nil where there are none.
  var calibrationTimer: TimerSource?
  /// Ends the daemon although the sensor does not answer.
  private var farewell: TimerSource?

  /// How long the sensor may take to be given back at the end.
  private static let farewellNanoseconds: Int64 = 10_000_000_000
  /// And when another start waits, before that is said.
  private static let retirementNanoseconds: Int64 = 5_000_000_000

  /// What a line of the journal and a change of state for subscribers are about.
  struct Presented: Equatable {
    var state: MotionState
    var reason: StateReason?
    var reducedMotion: Bool
  }

  init(loop: EventLoop, log: Log, options: DaemonOptions, configuration: LoadedConfiguration) throws {
    self.loop = loop
    self.log = log
    self.options = options
    self.configuration = configuration
    let settings = configuration.settings
    manager = try ServiceManager(loop)
    server = try Server(
      loop: loop, limits: ServerLimits(settings.server), access: AccessPolicy(settings.server, log: log))
    stage = MotionStage(pipeline: Pipeline(settings: settings.motion, model: SensorModel()))
    source = try makeSource(settings, loop, log)
    server.delegate = self
    source.delegate = self
    applyAccessibility(settings.accessibility)
    applyScenes()
    presented = present
    try watchSignals()
    listenToBus()
  }

  /// Serves until a signal ends it; the exit code.
  func run(on socket: consuming ListeningSocket) throws -> Int32 {
    socketFile = socket.address
    defer {
      removeSocket()
      // Now, and not when it goes: it asks its delegate what a page says last.
      server.close()
    }
    try server.listen(owning: socket.takeDescriptor())
    manager.setWatchdog(running: isAwake)
    manager.ready(status: text)
    return try loop.run()
  }

  private func removeSocket() {
    socketFile?.remove()
    socketFile = nil
  }

  /// Takes a change of `lifecycle` to where it matters: the sensor, the watchdog, the journal, subscribers.
  func lifecycleDidChange() {
    if lifecycle.sensorWanted {
      if retiring == nil, lifecycle.source == .off || isStartPending {
        retirement = nil
        failure = nil
        lifecycle.source = .starting
        source.start()
      } else if lifecycle.source == .off {
        lifecycle.source = .starting
        awaitRetirement()
      }
    } else if isStartPending {
      retirement = nil
      failure = nil
      lifecycle.source = .off
    } else if lifecycle.source != .off, lifecycle.isLeaving || lifecycle.source != .ended {
      lifecycle.source = .off
      failure?.retryAtNanoseconds = nil
      stopSource()
    }
    watchForSleep()
    refuseCalibrations()
    guard lifecycle.isLeaving else { return tell() }
    // Not before everything is as it was, also what a source of before a reload still has to put back.
    if retiring == nil { loop.exit(code: ExitCode.success) }
  }

  /// Gives the sensor back; nothing starts before it is.
  func stopSource() {
    rememberBias()
    let old = source
    retiring = old
    old.stop { [self] in
      if retiring === old { retiring = nil }
      lifecycleDidChange()
    }
  }

  /// Whether the sensor is wanted, but still being given back.
  var isStartPending: Bool { retirement != nil }

  /// A driver that does not answer is said to be the reason, as when the sensor is set up.
  private func awaitRetirement() {
    retirement = try? TimerSource(loop) { [unowned self] in
      sensorDidFail(.slow("giving the sensor back", after: Self.retirementNanoseconds))
    }
    retirement?.arm(afterNanoseconds: Self.retirementNanoseconds)
  }

  var present: Presented {
    Presented(state: lifecycle.state, reason: lifecycle.reason, reducedMotion: lifecycle.isReduced)
  }

  /// Whether something may hang: asleep, the daemon is not watched.
  private var isAwake: Bool {
    switch lifecycle.state {
    case .starting, .running, .stalled: true
    case .idle, .reduced, .waiting: false
    }
  }

  /// Says what has changed, once.
  ///
  /// - Parameter publishing: false where an event that says so follows at once.
  func tell(publishing: Bool = true) {
    let now = present
    guard now != presented else { return }
    if now.reducedMotion != presented?.reducedMotion { toNeutral() }
    presented = now
    manager.setWatchdog(running: isAwake)
    manager.status(text)
    let reason = now.reason?.rawValue
    log.info(
      "\(now.state.rawValue)\(reason.map { " (\($0))" } ?? ""): \(text)",
      [("PARALLAXD_STATE", now.state.rawValue)] + (reason.map { [("PARALLAXD_REASON", $0)] } ?? []))
    if publishing { publish(presentEvent) }
  }

  /// Writes down where the pipeline stands, and tells the subscribers.
  func publish(_ event: MotionEvent) {
    handover?.write(motionRecord)
    server.publish(event)
  }

  // MARK: Signals

  private func watchSignals() throws(SystemError) {
    signals = [
      try SignalSource(loop, signal: SIGTERM) { [unowned self] in leave() },
      try SignalSource(loop, signal: SIGINT) { [unowned self] in leave() },
      try SignalSource(loop, signal: SIGHUP) { [unowned self] in hangUp() },
    ]
    farewell = try TimerSource(loop) { [unowned self] in
      log.error("the sensor does not answer; leaving without having given it back")
      // That another machine hangs is no failure of this one's.
      let isOurs = source.description.uri.map { $0 == "local:" } ?? true
      loop.exit(code: isOurs ? ExitCode.failure : ExitCode.success)
    }
  }

  /// SIGHUP asks for the settings to be read again, unless it says that the terminal has gone that the daemon
  /// was started on: then it goes too.
  private func hangUp() {
    if startedOnTerminal, isatty(STDERR_FILENO) == 0 { leave() } else { reload() }
  }

  private func leave() {
    guard !lifecycle.isLeaving else { return }
    lifecycle.isLeaving = true
    manager.stopping()
    // Giving the sensor back may take a while; a daemon that is started meanwhile makes a socket of its own.
    removeSocket()
    server.stopListening()
    farewell?.arm(afterNanoseconds: Self.farewellNanoseconds)
    lifecycleDidChange()
  }
}
