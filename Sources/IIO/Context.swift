import CIIO
import Glibc

/// A snapshot of the IIO devices of a machine; what is plugged in later needs a new one.
///
/// Owned by one thread at a time. Devices, channels and buffers taken from it must not outlive it.
package struct Context: ~Copyable {
  private let handle: OpaquePointer
  /// nil for the devices of this machine.
  private let connection: Connection?

  /// Opens a machine's devices: nil and `local:` are this machine, anything else is a URI as libiio knows
  /// them (`ip:`, `usb:`, `serial:`, `xml:`). May block for seconds.
  ///
  /// Throws ENOENT where the kernel has no IIO core, ENOSYS where the URI is of no known kind.
  package init(uri: String?) throws(IIOError) {
    guard let uri, uri != "local:" else {
      // libiio also lists hwmon devices, and with them finds no fault in an absent IIO core.
      guard access("/sys/bus/iio/devices", F_OK) == 0 else {
        throw IIOError(code: ENOENT, operation: "look for IIO devices in /sys/bus/iio/devices")
      }
      handle = try checked("list the IIO devices of this machine") { iio_create_local_context() }
      connection = nil
      return
    }
    handle = try checked("open \(uri)") { iio_create_context_from_uri(uri) }
    connection = Connection(handle)
  }

  /// Devices as an XML document describes them; nothing can be read from them.
  package init(xml: String) throws(IIOError) {
    handle = try checked("read a description of IIO devices") {
      iio_create_xml_context_mem(xml, xml.utf8.count)
    }
    connection = Connection(handle)
  }

  deinit { quietly { iio_context_destroy(handle) } }

  /// Whether these are the devices of this machine, not of another or of a document.
  package var isLocal: Bool { isLocalContext(handle) }

  /// The IIO devices and triggers, without the hwmon devices that libiio shows beside them.
  package var devices: [Device] {
    (0..<iio_context_get_devices_count(handle)).compactMap { index in
      iio_context_get_device(handle, index).map { Device(handle: $0, connection) }
    }.filter { !$0.id.hasPrefix("hwmon") }
  }

  /// How long a call may wait for a remote machine, milliseconds; 0 is for ever. The other machine is told, with
  /// the new limit: one that does not answer is found out by it.
  package func setTimeout(milliseconds: UInt32) throws(IIOError) {
    try connection.checked("set the time limit of the connection") {
      iio_context_set_timeout(handle, milliseconds)
    }
  }

  /// `0.24`
  package static var libraryVersion: String {
    var major: UInt32 = 0
    var minor: UInt32 = 0
    iio_library_get_version(&major, &minor, nil)
    return "\(major).\(minor)"
  }
}

/// Whether a context is of this machine's devices.
func isLocalContext(_ handle: OpaquePointer?) -> Bool {
  guard let handle, let name = iio_context_get_name(handle) else { return false }
  return strcmp(name, "local") == 0
}
