import CIIO
import Glibc
import Linux

/// An IIO device or a trigger; valid as long as its `Context` lives.
package struct Device {
  let handle: OpaquePointer
  /// nil for a device of this machine.
  let connection: Connection?

  init(handle: OpaquePointer, _ connection: Connection?) {
    self.handle = handle
    self.connection = connection
  }

  /// `iio:device0`; changes from boot to boot.
  package var id: String { text(iio_device_get_id(handle)) ?? "" }

  /// The part or the driver: `bmi160`, `gyro_3d`. Several devices may have the same.
  package var name: String? { text(iio_device_get_name(handle)) }

  /// Where it sits, if the firmware says so: `gyro-display`.
  package var label: String? { text(iio_device_get_label(handle)) }

  /// A trigger makes scans happen and has no channels.
  package var isTrigger: Bool { iio_device_is_trigger(handle) }

  /// Whether it is a device of this machine.
  package var isLocal: Bool { isLocalContext(iio_device_get_context(handle)) }

  /// All channels, in the order of a scan; those that are in no scan come last.
  package var channels: [Channel] {
    (0..<iio_device_get_channels_count(handle)).compactMap { index in
      iio_device_get_channel(handle, index).map { Channel(handle: $0, deviceID: id, connection: connection) }
    }
  }

  /// The input channel with this id, such as `anglvel_x`.
  package func inputChannel(_ id: String) -> Channel? {
    iio_device_find_channel(handle, id, false).map {
      Channel(handle: $0, deviceID: self.id, connection: connection)
    }
  }

  /// Whether the device itself, and not a channel of it, has the attribute.
  package func hasAttribute(_ name: String) -> Bool { iio_device_find_attr(handle, name) != nil }

  /// The text of an attribute without the line's end. Of this machine's devices any file in their folder can
  /// be read, such as `buffer/length`. May block for seconds.
  package func read(_ attribute: String) throws(IIOError) -> String {
    try readText(connection, "read \(attribute) of \(id)") { iio_device_attr_read(handle, attribute, $0, $1) }
  }

  /// Writes the text of an attribute. One that is absent must not be written: libiio would make a file.
  package func write(_ attribute: String, _ text: String) throws(IIOError) {
    try connection.checked("write \(text) to \(attribute) of \(id)") {
      iio_device_attr_write(handle, attribute, text)
    }
  }
}

/// What starts a device's scans.
package enum TriggerState {
  /// The device needs none: its driver fills the buffer by itself.
  case unsupported
  /// It can have one, and has none.
  case none
  /// It has one; nil where that came up after the context was made.
  case set(Device?)
}

extension Device {
  /// The trigger that starts the device's scans.
  package func trigger() throws(IIOError) -> TriggerState {
    var trigger: OpaquePointer?
    do throws(IIOError) {
      try connection.checked("read the trigger of \(id)") { iio_device_get_trigger(handle, &trigger) }
      return trigger.map { .set(Device(handle: $0, connection)) } ?? .none
    } catch {
      switch error.code {
      case ENOENT, ENOSYS: return .unsupported
      // An empty attribute reads as EIO in libiio: the kernel prints nothing where no trigger is set.
      case EIO: return .none
      case ENXIO: return .set(nil)
      default: throw error
      }
    }
  }

  /// Sets the trigger, or takes it away.
  package func setTrigger(_ trigger: Device?) throws(IIOError) {
    let name = trigger.map { $0.name ?? $0.id } ?? "no trigger"
    try connection.checked("set \(name) as the trigger of \(id)") {
      iio_device_set_trigger(handle, trigger?.handle)
    }
  }

  /// Sets a trigger of this machine that came up after the context was made.
  package func setTrigger(named name: String) throws(IIOError) {
    try connection.checked("set \(name) as the trigger of \(id)") {
      iio_device_attr_write(handle, "trigger/current_trigger", name)
    }
  }
}

/// A C string that libiio owns.
func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

/// Reads an attribute through libiio, at most a page of it, as the kernel gives no more. One that is empty
/// fails with EIO, as libiio has it.
func readText(
  _ connection: Connection?, _ operation: @autoclosure () -> String,
  _ call: (UnsafeMutablePointer<CChar>, Int) -> Int
) throws(IIOError) -> String {
  let page = 4096
  return try withUnsafeTemporaryAllocation(of: CChar.self, capacity: page + 1) { bytes throws(IIOError) in
    guard let start = bytes.baseAddress else { throw IIOError(code: ENOMEM, operation: operation()) }
    let count = try connection.checked(operation()) { call(start, page) }
    start[min(count, page)] = 0
    return String(String(cString: start).withoutSurroundingBlanks)
  }
}
