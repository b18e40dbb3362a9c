import EventLoop
import Linux
import Sensors
import Server
import Settings

// Rooms do not know each other; what one calls its own is made of the settings here.

extension ServerLimits {
  init(_ settings: ServerSettings) {
    self.init()
    wire.maxMessage = settings.maxMessage
    wire.maxNesting = settings.maxNesting
    wire.maxPipelinedCalls = settings.maxPipelinedCalls
    maxConnections = settings.maxConnections
    maxConnectionsPerUser = settings.maxConnectionsPerUser
    messageTimeoutNanoseconds = settings.messageTimeoutNanoseconds
    clientTimeoutNanoseconds = settings.clientTimeoutNanoseconds
  }
}

extension AccessPolicy {
  /// A control group that does not exist lets nobody in, and that is said.
  init(_ settings: ServerSettings, log: Log) {
    self.init()
    allowRate = settings.allowRate
    allowRaw = settings.allowRaw
    guard let name = settings.controlGroup else { return }
    controlGroup = Groups.id(named: name)
    if controlGroup == nil {
      log.warning(
        "there is no group \(name) (server.control_group): only root and the daemon's user control it")
    }
  }
}

/// The source that the settings name, not started.
func makeSource(_ settings: Settings, _ loop: EventLoop, _ log: Log) throws -> any SensorSource {
  switch settings.sensor.backend {
  case .iio:
    try IIOSource(
      loop, sensor: settings.sensor, motion: settings.motion, statePlace: StateDirectory.prepare(log))
  case .replay, .demo: try ReplaySource(loop, settings.sensor)
  }
}
