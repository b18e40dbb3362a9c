import CSystemd
import Linux

/// The news of devices that come and go, as udev sends it out when its rules have been applied.
///
/// Wakes the loop only for devices of its subsystem. Where no udev runs, as in a container, there is no news.
package final class DeviceMonitor {
  /// What has become of a device.
  package struct News: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
      /// There is a new device, or a driver has taken one over.
      case added
      case removed
      /// Something about it is another now: its rights, for one.
      case changed
    }

    package var action: Action
    /// The kernel's name of the device: `iio:device0`.
    package var name: String

    package init(_ action: Action, _ name: String) {
      self.action = action
      self.name = name
    }
  }

  private let monitor: OpaquePointer
  private let handler: (News) -> Void

  /// - Parameter subsystem: as in /sys/bus or /sys/class: `iio`.
  package init(_ loop: EventLoop, subsystem: String, handler: @escaping (News) -> Void) throws(SystemError) {
    let operation = "listen for devices of \(subsystem)"
    var made: OpaquePointer?
    let result = sd_device_monitor_new(&made)
    guard result >= 0, let made else { throw SystemError(code: -result, operation: operation) }
    monitor = made
    self.handler = handler
    for result in [
      sd_device_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil),
      sd_device_monitor_attach_event(monitor, loop.handle),
      sd_device_monitor_start(
        monitor,
        { _, device, context in
          guard let device, let context else { return 0 }
          Unmanaged<DeviceMonitor>.fromOpaque(context).takeUnretainedValue().hear(device)
          return 0
        }, Unmanaged.passUnretained(self).toOpaque()),
    ] where result < 0 {
      throw SystemError(code: -result, operation: operation)
    }
  }

  deinit {
    sd_device_monitor_stop(monitor)
    sd_device_monitor_unref(monitor)
  }

  private func hear(_ device: OpaquePointer) {
    var name: UnsafePointer<CChar>?
    var action = SD_DEVICE_CHANGE
    guard sd_device_get_sysname(device, &name) >= 0, let name, sd_device_get_action(device, &action) >= 0
    else { return }
    let meaning: News.Action =
      switch action {
      case SD_DEVICE_ADD, SD_DEVICE_BIND, SD_DEVICE_ONLINE: .added
      case SD_DEVICE_REMOVE, SD_DEVICE_UNBIND, SD_DEVICE_OFFLINE: .removed
      default: .changed
      }
    handler(News(meaning, String(cString: name)))
  }
}
