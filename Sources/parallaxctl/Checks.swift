import Wire

/// The checks of `doctor`: facts in, findings out, and nothing else. In the order in which one would mend.
enum Checks {
  static func findings(_ facts: MachineFacts) -> [Finding] {
    // Whoever plays a recording, or reads another machine's sensor, needs none here.
    let needsSensor = facts.status.map { $0.sensor.backend == "iio" && isLocal($0.sensor.uri) } ?? true
    let ofSensor =
      needsSensor
      ? sensor(facts) + node(facts) + rights(facts) + trigger(facts) + holders(facts) + leftOn(facts)
      : [Finding.note("the daemon reads no gyroscope of this machine: \(facts.status?.sensor.backend ?? "")")]
    return ofSensor + daemon(facts) + stream(facts)
  }

  private static func isLocal(_ uri: String?) -> Bool { uri == nil || uri == "local:" }

  /// Is there a gyroscope?
  private static func sensor(_ facts: MachineFacts) -> [Finding] {
    guard facts.gyroscopes.isEmpty else { return [] }
    let modules = facts.modules ?? []
    if modules.contains("hid_sensor_hub"), !modules.contains("hid_sensor_gyro_3d") {
      return [
        .problem(
          "there is a HID sensor hub, but the driver of its gyroscope is not loaded",
          "sudo modprobe hid-sensor-gyro-3d")
      ]
    }
    guard facts.hasIIO else {
      return [
        .problem(
          "the kernel's IIO core is not loaded, so there is no sensor driver (/sys/bus/iio is absent)",
          "sudo modprobe hid-sensor-gyro-3d    (tablets and 2-in-1; else your sensor's, such as bmi160_i2c)")
      ]
    }
    if facts.devices.isEmpty {
      return [
        .problem(
          "the kernel knows no IIO device: no sensor's driver is loaded, or it found none",
          "sudo modprobe hid-sensor-gyro-3d    (or your sensor's; `sudo dmesg | grep -i -e iio -e hid-sensor`)"
        )
      ]
    }
    let others = facts.devices.prefix(8).map(\.title).joined(separator: ", ")
    return [
      .problem(
        "there are IIO devices, but none is a gyroscope: \(others)",
        "sudo modprobe hid-sensor-gyro-3d    (or your sensor's; some machines have no gyroscope)")
    ]
  }

  /// A device that gives scans has a node to read them from.
  private static func node(_ facts: MachineFacts) -> [Finding] {
    facts.gyroscopes.filter { $0.hasBuffer && $0.node == nil }.map {
      .problem(
        "/dev/\($0.id) is missing, so the scans of \($0.title) cannot be read",
        "sudo udevadm trigger --subsystem-match=iio")
    }
  }

  /// May the daemon set up the buffer? Asked only where it does not.
  private static func rights(_ facts: MachineFacts) -> [Finding] {
    if facts.status?.sensor.mode == "buffer" { return [] }
    let isService = facts.units?["parallaxd.service"]?.load == "loaded"
    var findings: [Finding] = []
    for device in facts.gyroscopes where device.hasBuffer {
      let files = (device.node.map { [$0] } ?? []) + device.settings
      if isService {
        guard let closed = files.first(where: { $0.group != "parallax-sensor" || !$0.isOpenToGroup })
        else { continue }
        findings.append(
          .problem(
            "the service may not set up the buffer of \(device.title): \(closed.path) is \(closed.rights), "
              + "not open to the group parallax-sensor",
            "sudo systemd-sysusers && sudo udevadm control --reload && "
              + "sudo udevadm trigger --subsystem-match=iio    (after `sudo make install`)"))
      } else if isRefused(facts, device) {
        let closed = files.first { !$0.isWritable } ?? files.first
        let which = closed.map { ": \($0.path) is \($0.rights)" } ?? ""
        findings.append(
          .problem(
            "the daemon may not set up the buffer of \(device.title)\(which)",
            "sudo make install    (then the commands that it prints: a service and a udev rule)"))
      }
    }
    return findings
  }

  /// Whether a right is what is missing: the daemon says so, or, where there is none, the rights do.
  private static func isRefused(_ facts: MachineFacts, _ device: MachineFacts.Device) -> Bool {
    guard let status = facts.status else {
      return ((device.node.map { [$0] } ?? []) + device.settings).contains { !$0.isWritable }
    }
    return status.reason == .permission || status.sensor.why.contains { $0.contains("Permission denied") }
  }

  /// A buffer needs something that takes its scans.
  private static func trigger(_ facts: MachineFacts) -> [Finding] {
    if facts.status?.sensor.mode == "buffer" || !facts.triggers.isEmpty || facts.hasHrtimer { return [] }
    return facts.gyroscopes.filter { $0.hasBuffer && $0.currentTrigger == nil }.prefix(1).map {
      .problem(
        "\($0.title) has a buffer but no trigger, so its values are polled one by one",
        "sudo modprobe iio-trig-hrtimer    (and start parallaxd again)")
    }
  }

  /// A buffer has one reader.
  private static func holders(_ facts: MachineFacts) -> [Finding] {
    var findings: [Finding] = []
    for device in facts.gyroscopes {
      for holder in (device.holders ?? []).prefix(8) where holder.name != "parallaxd" {
        findings.append(
          .problem(
            "\(device.title) is read by another program, process \(holder.id) (\(holder.name)); a buffer has "
              + "one reader",
            holder.name == "iio-sensor-prox"
              ? "sudo systemctl stop iio-sensor-proxy" : "sudo kill \(holder.id)"))
      }
    }
    if findings.isEmpty, facts.status?.reason == .busy, facts.user.id != 0 {
      findings.append(
        .problem("another program holds the sensor; only root sees which", "sudo parallaxctl doctor"))
    }
    let named = findings.map(\.text).joined()
    let others = facts.readers.filter { !named.contains("process \($0.id) ") }
    if !others.isEmpty {
      let list = others.prefix(8).map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
      findings.append(.note("programs that may read motion sensors too: \(list)"))
    }
    return findings
  }

  /// What a reader that crashed leaves behind.
  private static func leftOn(_ facts: MachineFacts) -> [Finding] {
    facts.gyroscopes.filter { $0.isBufferEnabled && $0.holders == [] }.map {
      .problem(
        "the buffer of \($0.title) is on and nobody reads it: left by a program that crashed",
        "echo 0 | sudo tee /sys/bus/iio/devices/\($0.id)/buffer/enable")
    }
  }
}
