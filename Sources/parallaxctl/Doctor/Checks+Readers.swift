import Wire

// Who else reads the sensor.
extension Checks {
  /// A buffer has one reader.
  static func holders(_ facts: MachineFacts) -> [Finding] {
    var findings: [Finding] = []
    for device in concerned(facts) {
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
  static func leftOn(_ facts: MachineFacts) -> [Finding] {
    facts.gyroscopes.filter { $0.isBufferEnabled && $0.holders == [] }.map {
      .problem(
        "the buffer of \($0.title) is on and nobody reads it: left by a program that crashed",
        "echo 0 | sudo tee /sys/bus/iio/devices/\($0.id)/buffer/enable")
    }
  }
}
