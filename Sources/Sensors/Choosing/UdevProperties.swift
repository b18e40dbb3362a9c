import IIO
import Linux

/// What udev's rules and its hardware database know of a device.
///
/// Read from udev's own files, not through sd-device, which takes only what lies on a sysfs for a device, and
/// so could not be tested without a kernel's sensor. Their form has been the same since there is `/run/udev`,
/// and what is not as expected reads as absent.
enum UdevProperties {
  /// How an accelerometer is mounted, as systemd's `60-sensor.hwdb` has it for many machines.
  static let accelMountMatrix = "ACCEL_MOUNT_MATRIX"

  /// Larger than any that udev writes for a sensor.
  private static let longestFile = 65_536

  /// The property of a device of this machine; nil where it has none.
  static func read(_ property: String, of device: Device) -> String? {
    guard let name = fileName(number: try? device.read("dev"), id: device.id),
      let text = try? SmallFile.text(of: "/run/udev/data/\(name)", limit: longestFile)
    else { return nil }
    return value(of: property, in: text)
  }

  /// `c250:0`, by the number of the node; `+iio:iio:device0` for a device that has no node.
  ///
  /// - Returns: nil where that would be no plain file's name.
  static func fileName(number: String?, id: String) -> String? {
    if let number {
      let parts = number.split(separator: ":", omittingEmptySubsequences: false)
      let isNumber = parts.count == 2 && parts.allSatisfy { UInt32($0) != nil && !$0.hasPrefix("+") }
      return isNumber ? "c\(number)" : nil
    }
    return id.isEmpty || id.utf8.contains(UInt8(ascii: "/")) ? nil : "+iio:\(id)"
  }

  /// The value in the text of such a file, whose lines are `E:NAME=value` and others.
  static func value(of property: String, in text: String) -> String? {
    let start = "E:\(property)="
    return text.split(separator: "\n").first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
  }
}
