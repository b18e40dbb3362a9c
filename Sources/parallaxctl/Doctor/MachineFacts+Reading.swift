import CLinux
import Glibc
import Linux

extension MachineFacts {
  private static let devicesFolder = "/sys/bus/iio/devices"
  /// Devices that are looked at.
  private static let deviceLimit = 64
  /// Attributes of one of them.
  private static let attributeLimit = 200

  /// Looks at the machine, without the daemon. Reads no measured value: that would wake a sensor.
  init(looking: Void) {
    user = Self.whoAsks()
    system = Self.systemName()
    modules = PrintableFiles.lines("/proc/modules").map { lines in
      lines.compactMap { $0.split(separator: " ").first.map(String.init) }.filter(Self.isSensorModule)
        .sorted()
    }
    hasIIO = PrintableFiles.exists(Self.devicesFolder)
    hasConfigfs = !PrintableFiles.entries("/sys/kernel/config").isEmpty
    if PrintableFiles.isClosed(Self.devicesFolder) { closedFolders.append(Self.devicesFolder) }
    let names = PrintableFiles.entries(Self.devicesFolder)
    devices = names.filter { $0.hasPrefix("iio:device") }.prefix(Self.deviceLimit).map(Self.device)
    triggers = names.filter { $0.hasPrefix("trigger") }.prefix(Self.deviceLimit).map {
      let folder = "\(Self.devicesFolder)/\($0)"
      return Trigger(
        id: $0.printable(), name: PrintableFiles.text("\(folder)/name"),
        frequency: PrintableFiles.facts("\(folder)/sampling_frequency"))
    }
    hrtimer = PrintableFiles.facts("/sys/kernel/config/iio/triggers/hrtimer")
    closedFolders += devices.flatMap { device in
      ["", "/scan_elements", "/buffer", "/trigger"].map { "\(Self.devicesFolder)/\(device.id)\($0)" }
        .filter(PrintableFiles.isClosed)
    }
    let processes = ProcessList()
    readers = processes.readers
    if geteuid() == 0 {
      for index in devices.indices {
        devices[index].holders = processes.holders(of: "/dev/\(devices[index].id)")
      }
    }
    units = Systemctl.show(["parallaxd.service", "parallaxd.socket"])
  }

  private static func whoAsks() -> User {
    let id = geteuid()
    let groups = Groups.ofThisProcess.sorted().map(AccountNames.group)
    return User(id: id, name: AccountNames.user(id), groups: groups)
  }

  private static func systemName() -> String {
    let name =
      PrintableFiles.lines("/etc/os-release", limit: 65_536)?.first { $0.hasPrefix("PRETTY_NAME=") }?
      .dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } ?? "Linux"
    let release = PrintableFiles.text("/proc/sys/kernel/osrelease") ?? "unknown"
    return "\(name), kernel \(release)"
  }

  /// Modules of gyroscopes, their triggers and what they stand on.
  static func isSensorModule(_ name: String) -> Bool {
    let marks = [
      "iio", "hid_sensor", "bmi", "bmg", "bmx", "lsm6", "st_gyro", "st_sensors", "mpu", "icm4", "fxas",
      "adis",
      "itg3", "kfifo", "cros_ec_sensors", "gyro",
    ]
    return marks.contains { name.contains($0) }
  }

  private static func device(_ id: String) -> Device {
    let folder = "\(devicesFolder)/\(id)"
    var device = Device(id: id.printable())
    device.name = PrintableFiles.text("\(folder)/name")
    device.label = PrintableFiles.text("\(folder)/label")
    let scanned = PrintableFiles.entries("\(folder)/scan_elements").map { "scan_elements/\($0)" }
    let buffer = PrintableFiles.entries("\(folder)/buffer").map { "buffer/\($0)" }
    let trigger = PrintableFiles.entries("\(folder)/trigger").map { "trigger/\($0)" }
    let names = PrintableFiles.entries(folder) + scanned + buffer + trigger
    device.isGyroscope = names.contains { $0.contains("in_anglvel_") || $0.contains("in_deltaangl_") }
    device.hasBuffer = !scanned.isEmpty
    device.takesTrigger = trigger.contains("trigger/current_trigger")
    device.settings = names.filter(isWritten).prefix(attributeLimit).compactMap {
      PrintableFiles.facts("\(folder)/\($0)")
    }
    for name in names.prefix(attributeLimit) {
      var about = stat()
      guard stat("\(folder)/\(name)", &about) == 0, about.st_mode & S_IFMT == S_IFREG else { continue }
      let measures = name.hasSuffix("_raw") || name.hasSuffix("_input")
      device.attributes.append(
        Attribute(name: name.printable(), text: measures ? nil : PrintableFiles.text("\(folder)/\(name)")))
    }
    device.isBufferEnabled = PrintableFiles.text("\(folder)/buffer/enable") == "1"
    device.currentTrigger = PrintableFiles.text("\(folder)/trigger/current_trigger").flatMap {
      $0.isEmpty ? nil : $0
    }
    device.node = PrintableFiles.facts("/dev/\(id)")
    return device
  }

  /// Whether the daemon writes this attribute of a gyroscope, as the udev rule (60-parallaxd.rules) has them: of
  /// any channel, since all of them are switched off before the axes are switched on.
  static func isWritten(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    switch (parts.first, parts.count) {
    case (_, 1): return name == "current_timestamp_clock" || name.hasSuffix("sampling_frequency")
    case ("buffer", 2): return ["enable", "length", "watermark", "sampling_frequency"].contains(parts[1])
    case ("scan_elements", 2): return name.hasSuffix("_en")
    case ("trigger", 2): return parts[1] == "current_trigger"
    default: return false
    }
  }
}
