import Glibc
import Linux

// What libiio does not tell of this machine's devices. All of it is nil or an error for devices of another.
extension Device {
  /// The device's place in the tree of the hardware, which says which part it belongs to:
  /// `/sys/devices/pci0000:00/…/iio:device0`.
  package var systemPath: String? {
    guard isLocal, let path = realpath("/sys/bus/iio/devices/\(id)", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// The part that the device or trigger belongs to; nil where it belongs to none.
  package var parentPath: String? {
    guard let path = systemPath, let slash = path.lastIndex(of: "/") else { return nil }
    let parent = String(path[..<slash])
    // The folders of devices that no part owns, such as software triggers.
    let ownerless = ["/sys/bus/iio/devices", "/sys/devices", "/sys/devices/virtual", ""]
    return ownerless.contains(parent) ? nil : parent
  }

  /// The character device that scans are read from.
  package var nodePath: String { "/dev/\(id)" }

  /// Opens and closes the node, to learn whether it may be used before anything is written: libiio switches
  /// off the buffer of another reader before it finds out that there is one.
  ///
  /// Throws EBUSY where another program reads the device, EACCES where this one may not.
  package func probeNode() throws(IIOError) {
    guard isLocal else { return }
    do throws(SystemError) {
      _ = try FileDescriptor(opening: nodePath, flags: O_RDWR | O_NONBLOCK)
    } catch {
      throw IIOError(error)
    }
  }

  /// Whether this user may set the buffer up and read from it, as far as file modes tell.
  package var mayUseBuffer: Bool {
    let folder = "/sys/bus/iio/devices/\(id)"
    return access(nodePath, R_OK | W_OK) == 0
      && ["enable", "length"].allSatisfy { access("\(folder)/buffer/\($0)", W_OK) == 0 }
  }
}
