import Wire

/// The checks of `doctor`: facts in, findings out, and nothing else. In the order in which one would mend.
enum Checks {
  static func findings(_ facts: MachineFacts) -> [Finding] {
    // Whoever plays a recording, or reads another machine's sensor, needs none here.
    guard concernThisMachine(facts) else {
      let backend = facts.status?.sensor.backend ?? ""
      return [.note("the daemon reads no gyroscope of this machine: \(backend)")]
        + daemon(facts, isExplained: false) + stream(facts)
    }
    let ofSensor =
      closed(facts) + sensor(facts) + node(facts) + rights(facts) + trigger(facts) + holders(facts)
      + leftOn(facts)
    let isExplained = ofSensor.contains { $0.kind == .problem }
    return ofSensor + daemon(facts, isExplained: isExplained) + stream(facts)
  }

  /// Whether the daemon, if there is one, is to read a gyroscope of this machine: else none is judged.
  static func concernThisMachine(_ facts: MachineFacts) -> Bool {
    facts.status.map { $0.sensor.backend == "iio" && isLocal($0.sensor.uri) } ?? true
  }

  private static func isLocal(_ uri: String?) -> Bool { uri == nil || uri == "local:" }

  /// The gyroscope that the daemon has chosen; all of them where it has not.
  static func concerned(_ facts: MachineFacts) -> [MachineFacts.Device] {
    let chosen = facts.gyroscopes.filter { $0.id == facts.status?.sensor.id }
    return chosen.isEmpty ? facts.gyroscopes : chosen
  }

  /// What this user may not look at says nothing of what is there.
  private static func closed(_ facts: MachineFacts) -> [Finding] {
    facts.closedFolders.prefix(8).map { folder in
      let text = "\(folder) cannot be looked at: it is closed to \(facts.user.name)"
      let command = facts.user.id == 0 ? nil : "sudo parallaxctl doctor"
      // The daemon sees more.
      return facts.status?.sensor.mode == nil ? .problem(text, command) : .note(text, command)
    }
  }

  /// Is there a gyroscope?
  private static func sensor(_ facts: MachineFacts) -> [Finding] {
    guard facts.gyroscopes.isEmpty, facts.closedFolders.isEmpty else { return [] }
    let modules = facts.modules ?? []
    let command = "sudo modprobe hid-sensor-gyro-3d"
    if modules.contains("hid_sensor_hub"), !modules.contains("hid_sensor_gyro_3d") {
      return [.problem("there is a HID sensor hub, but the driver of its gyroscope is not loaded", command)]
    }
    guard facts.hasIIO else {
      return [
        .problem(
          "the kernel's IIO core is not loaded, so there is no sensor driver (/sys/bus/iio is absent)",
          command,
          hint: "tablets and 2-in-1; else your sensor's, such as bmi160_i2c")
      ]
    }
    if facts.devices.isEmpty {
      return [
        .problem(
          "the kernel knows no IIO device: no sensor's driver is loaded, or it found none", command,
          hint: "or your sensor's; sudo dmesg | grep -i -e iio -e hid-sensor")
      ]
    }
    let others = facts.devices.prefix(8).map(\.title).joined(separator: ", ")
    return [
      .problem(
        "there are IIO devices, but none is a gyroscope: \(others)", command,
        hint: "or your sensor's; some machines have no gyroscope")
    ]
  }

  /// A device that gives scans has a node to read them from.
  private static func node(_ facts: MachineFacts) -> [Finding] {
    concerned(facts).filter { $0.hasBuffer && $0.node == nil }.map {
      .problem(
        "/dev/\($0.id) is missing, so the scans of \($0.title) cannot be read",
        "sudo udevadm trigger --subsystem-match=iio")
    }
  }
}
