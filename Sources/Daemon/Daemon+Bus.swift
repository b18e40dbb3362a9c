import EventLoop
import Sensors

// What the system's bus tells. Without it, or with a bus that goes away, the daemon does without.
extension Daemon {
  /// Connects where there is a gyroscope to be read, and asks who is there; the answers come in the loop.
  func listenToBus() {
    guard bus == nil, configuration.settings.sensor.backend == .iio else { return }
    do {
      let bus = try SystemBus(loop) { [unowned self] in busIsLost() }
      self.bus = bus
      logind = try Logind(bus) { [unowned self] sleeps in sleepDidChange(sleeps) }
      sensorProxy = try BusName(bus, "net.hadess.SensorProxy") { [unowned self] in tellSourceOfAutoRotation()
      }
    } catch {
      busIsLost()
      log.debug("no system bus: \(error)")
    }
  }

  /// iio-sensor-proxy turns the screen by an accelerometer, and may need the part that the gyroscope is of.
  func tellSourceOfAutoRotation() {
    (source as? IIOSource)?.autoRotationDidChange(runs: sensorProxy?.owner != nil)
  }

  private func busIsLost() {
    sensorProxy = nil
    logind = nil
    bus = nil
    tellSourceOfAutoRotation()
    sleepDidChange(false)
  }
}
