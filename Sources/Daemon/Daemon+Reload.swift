import Linux
import Motion
import Sensors
import Server
import Settings

extension Daemon {
  /// SIGHUP: the settings are read again; what is wrong is said, and what was in force stays.
  func reload() {
    guard !lifecycle.isLeaving else { return }
    manager.reloading()
    defer { manager.ready(status: text) }
    do {
      let loaded = try LoadedConfiguration.load(options)
      let next = try makeSourceIfChanged(from: configuration.settings, to: loaded.settings)
      apply(loaded, next)
      log.info("the configuration was read again")
    } catch {
      configuration.lastError = "\(error)"
      log.error("\(error); the settings before it stay in force")
    }
  }

  /// Whether motion is reduced by configuration, and what is left of it then.
  func applyAccessibility(_ accessibility: AccessibilitySettings) {
    lifecycle.configurationReduces = accessibility.reducedMotion
    lifecycle.reducedMotionScale = accessibility.reducedMotionScale
    server.reducedMotionScale = accessibility.reducedMotionScale
  }

  /// What is wrong with a scene's file is said, and the others are there for who asks.
  func applyScenes() {
    for fault in configuration.scenes.faults { log.warning(fault.text) }
    for remark in configuration.scenes.remarks { log.warning(remark) }
    server.namedScenes = configuration.scenes.scenes
    server.sceneFolder = configuration.scenes.path.printable()
  }

  private func apply(_ loaded: LoadedConfiguration, _ next: (any SensorSource)?) {
    let old = configuration.settings
    let new = loaded.settings
    if (old.server.socket, old.server.group) != (new.server.socket, new.server.group) {
      log.warning("server.socket and server.group take effect when the daemon is started again")
    }
    let scenes = configuration.scenes
    configuration = loaded
    configuration.scenes.keep(from: scenes)
    log.level = new.log.level
    for line in new.withoutEffect { log.warning(line) }
    applyScenes()
    if new.server.maxConnections != old.server.maxConnections { DescriptorLimit.apply(new.server, log) }
    server.apply(limits: ServerLimits(new.server), access: AccessPolicy(new.server, log: log))
    applyAccessibility(new.accessibility)
    if let next { replaceSource(with: next) } else { tellSourceOfTilt() }
    stage.pipeline.reconfigure(settings: motionInForce)
    // The settings that a recording was begun with hold no longer.
    server.rawStreamDidRestart()
    lifecycleDidChange()
    publish(presentEvent)
  }

  private func replaceSource(with next: any SensorSource) {
    let running = lifecycle.source != .off && !isStartPending
    lifecycle.source = .off
    failure = nil
    restartStream()
    if running { stopSource() }
    source = next
    // Another recording, or the same one from its start.
    if configuration.settings.sensor.backend != .iio { sensorMark = 0 }
    source.delegate = self
    source.patienceNanoseconds = server.audience.patienceNanoseconds
    tellSourceOfTilt()
    listenToBus()
    tellSourceOfAutoRotation()
  }

  /// A gyroscope's rate follows from the update interval; a trace's does not.
  private func makeSourceIfChanged(from old: Settings, to new: Settings) throws -> (any SensorSource)? {
    let sensor = old.sensor != new.sensor
    let rate =
      new.sensor.backend == .iio
      && (old.motion.updateIntervalNanoseconds, old.motion.maxGapNanoseconds)
        != (new.motion.updateIntervalNanoseconds, new.motion.maxGapNanoseconds)
    return sensor || rate ? try makeSource(new, loop, log) : nil
  }
}
