import EventLoop
import Linux

// Devices that come and go. The timer that tries again is there all the same: in a container there is no news.
extension IIOSource {
  /// News comes in bursts, a device with its triggers; and rules of others may still be at work.
  static let newsDelayNanoseconds: Int64 = 100_000_000

  /// Begins to listen where the sensor is one that can be plugged into this machine.
  func listenForDevices() {
    let sensor = configuration.sensor
    let subsystem = sensor.isOfThisMachine ? "iio" : sensor.uriInUse.hasPrefix("usb:") ? "usb" : nil
    guard let subsystem else { return }
    monitor = try? DeviceMonitor(loop, subsystem: subsystem) { [unowned self] news in deviceNews(news) }
  }

  /// Triggers do not count: opening a sensor may make one.
  private func deviceNews(_ news: DeviceMonitor.News) {
    guard !news.name.hasPrefix("trigger") else { return }
    switch state {
    case .idle: break
    case .opening: hasNews = hasNews || news.action != .removed
    case .waiting: if news.action != .removed { tryAgainSoon() }
    case .running:
      guard news.name == description.id else { break }
      if news.action == .removed {
        // An unplugged device does not wake the loop by its descriptor.
        fail(SensorFailure(.noDevice, "\(title) was unplugged: plug it in again"))
      } else {
        // It was opened before the rule had handed it over.
        expectBuffer(soon: true)
      }
    }
  }

  private func tryAgainSoon() {
    // What comes meanwhile does not put it off.
    guard !isTryingSoon else { return }
    isTryingSoon = true
    backoff.reset()
    retry?.arm(afterNanoseconds: Self.newsDelayNanoseconds)
  }
}
