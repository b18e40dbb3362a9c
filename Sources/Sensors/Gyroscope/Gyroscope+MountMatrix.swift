import IIO
import Linux
import Motion

extension Gyroscope {
  /// The mount matrix: the configuration's, else the gyroscope's own, else that of another sensor of the same
  /// part, else what udev says of one.
  ///
  /// - Parameter devices: all of the machine.
  func mountMatrix(configured: Matrix3?, among devices: [Device]) -> MountMatrixChoice {
    typealias Candidate = MountMatrixChoice.Candidate
    let siblings = siblings(among: devices)
    let own = Attribute(axes[0], "mount_matrix")
    var candidates = [Candidate(own)]
    candidates += device.sharedMountMatrices.map { Candidate($0) }
    // Not once more what has been looked at as its own.
    let others = device.sensorMountMatrices.filter { $0.fileName != own.fileName }
    candidates += others.map { Candidate($0, of: device) }
    for sibling in siblings {
      let attributes = sibling.sensorMountMatrices + sibling.sharedMountMatrices
      candidates += attributes.map { Candidate($0, of: sibling) }
    }
    for one in [device] + siblings where one.isLocal { candidates.append(Candidate(udevOf: one)) }
    return MountMatrixChoice(configured: configured, candidates: candidates)
  }

  /// The other sensors of the same part, which is turned as a whole.
  func siblings(among devices: [Device]) -> [Device] {
    guard let part = device.part else { return [] }
    return devices.filter { other in
      !other.isTrigger && other.id != device.id && other.part == part && other.isInBase == device.isInBase
    }
  }
}

extension MountMatrixChoice.Candidate {
  /// - Parameter other: the device that the attribute belongs to, where that is not the gyroscope's own.
  fileprivate init(_ attribute: Attribute, of other: Device? = nil) {
    self.init(
      source: attribute.fileName + (other.map { " of \($0.title)" } ?? ""), isOwn: other == nil,
      text: { attribute.exists ? try? attribute.read() : nil })
  }

  /// What udev's database says of the accelerometer in a device of this machine.
  fileprivate init(udevOf device: Device) {
    let property = UdevProperties.accelMountMatrix
    self.init(
      source: "\(property) of \(device.title)", isOwn: false,
      text: { UdevProperties.read(property, of: device) })
  }
}

extension Device {
  /// `iio:device0 (bmi160)`, for people.
  var title: String {
    let longest = 80
    let number = id.printable(limit: longest)
    return name.map { "\(number) (\($0.printable(limit: longest)))" } ?? number
  }

  /// Of the whole device. libiio takes `in_mount_matrix` for the attribute `matrix` of a channel `mount`.
  var sharedMountMatrices: [Attribute] {
    (inputChannel("mount").map { [Attribute($0, "matrix")] } ?? [])
      + ["in_mount_matrix", "mount_matrix"].map { Attribute(self, $0) }
  }

  /// Of the sensors in it.
  fileprivate var sensorMountMatrices: [Attribute] {
    ["accel_x", "anglvel_x"].compactMap { inputChannel($0) }.map { Attribute($0, "mount_matrix") }
  }

  /// What is turned as a whole: the part that the driver is bound to; of a HID sensor hub, whose sensors are
  /// parts of their own to the kernel, the hub.
  fileprivate var part: String? {
    guard let parent = parentPath, let slash = parent.lastIndex(of: "/") else { return nil }
    return parent[slash...].hasPrefix("/HID-SENSOR-") ? String(parent[..<slash]) : parent
  }

  /// Of a convertible's two halves, each with sensors of one hub, not the one with the display.
  fileprivate var isInBase: Bool { (label ?? location)?.lowercased().contains("base") == true }
}
