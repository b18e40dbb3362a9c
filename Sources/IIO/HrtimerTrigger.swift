import CLinux
import Glibc
import Linux

/// A trigger that a timer of this machine's kernel fires, for devices that have none of their own.
///
/// The kernel (module iio-trig-hrtimer) makes one for each folder that is made in configfs, and takes it away
/// with the folder. libiio does not know of them, and a context that was open before does not see them.
package struct HrtimerTrigger: Equatable, Sendable {
  /// Where they are made.
  package static let folder = "/sys/kernel/config/iio/triggers/hrtimer"
  /// What the names of those that are made here begin with.
  package static let namePrefix = "parallaxd"
  private static let devices = "/sys/bus/iio/devices"

  /// Its folder's name, and the trigger's.
  package let name: String

  /// - Parameter deviceID: `iio:device3`, whose trigger is `parallaxd-device3`: known again after a crash,
  ///   and no other program's.
  package init(deviceID: String) {
    name = "\(Self.namePrefix)-\(deviceID.split(separator: ":").last ?? "device")"
  }

  /// One that is known by its name: no path, and with our prefix.
  package init(named name: String) { self.name = name }

  /// Why none can be made.
  package enum Obstacle: Equatable, Sendable {
    /// configfs is not mounted.
    case noConfigfs
    /// The module that makes them is not loaded.
    case noModule
    /// This user may not.
    case noRight
  }

  /// What stands in the way, as far as folders and their modes tell; nothing is changed.
  package static var obstacle: Obstacle? {
    if access(folder, F_OK) == 0 { return access(folder, W_OK | X_OK) == 0 ? nil : .noRight }
    return access("/sys/kernel/config/iio", F_OK) == 0 || isMounted ? .noModule : .noConfigfs
  }

  /// An empty folder is one that nothing is mounted on.
  private static var isMounted: Bool { !entries(of: "/sys/kernel/config").isEmpty }

  /// Makes it, or takes over the one of this name that is there.
  package func make() throws(IIOError) {
    let path = "\(Self.folder)/\(name)"
    do throws(SystemError) {
      try Linux.checked("make \(path)") { mkdir(path, 0o755) }
    } catch {
      if error.code != EEXIST { throw IIOError(error) }
    }
  }

  /// Takes it away. No device may have it as its trigger any more.
  package func remove() throws(IIOError) {
    let path = "\(Self.folder)/\(name)"
    do throws(SystemError) {
      try Linux.checked("remove \(path)") { rmdir(path) }
    } catch {
      throw IIOError(error)
    }
  }

  /// The file of its frequency, in Hz; nil where the kernel does not show the trigger (yet).
  package var frequencyPath: String? {
    for entry in Self.entries(of: Self.devices) where entry.hasPrefix("trigger") {
      let path = "\(Self.devices)/\(entry)"
      if (try? Self.text(of: "\(path)/name")) == name { return "\(path)/sampling_frequency" }
    }
    return nil
  }

  /// Whether this user may set its frequency. udev hands it to a group a moment after it has appeared.
  package var mayBeSet: Bool { frequencyPath.map { access($0, W_OK) == 0 } ?? false }

  /// Its frequency in Hz, as the kernel writes it.
  package func readFrequency() throws(IIOError) -> String {
    try Self.text(of: try existingFrequencyPath())
  }

  /// Sets its frequency, Hz.
  package func writeFrequency(_ text: String) throws(IIOError) {
    let path = try existingFrequencyPath()
    do throws(SystemError) {
      let file = try FileDescriptor(opening: path, flags: O_WRONLY | O_TRUNC)
      let bytes = Array(text.utf8)
      try Linux.checked("write \(text) to \(path)") { write(file.number, bytes, bytes.count) }
    } catch {
      throw IIOError(error)
    }
  }

  private func existingFrequencyPath() throws(IIOError) -> String {
    guard let path = frequencyPath else {
      throw IIOError(code: ENODEV, operation: "find the trigger \(name)")
    }
    return path
  }

  private static func text(of path: String) throws(IIOError) -> String {
    do throws(SystemError) {
      return String(try SmallFile.text(of: path, limit: 256).withoutSurroundingBlanks)
    } catch {
      throw IIOError(error)
    }
  }

  /// Names of files and folders, without hidden ones; none where it cannot be read.
  private static func entries(of folder: String) -> [String] {
    ((try? Folder.entries(of: folder)) ?? []).filter { !$0.hasPrefix(".") }
  }
}
