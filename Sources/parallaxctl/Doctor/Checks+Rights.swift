import Linux
import Wire

// May the daemon set its gyroscope up, and what starts the scans?
extension Checks {
  /// Asked only where the daemon does not read the buffer, and not by choice.
  static func rights(_ facts: MachineFacts) -> [Finding] {
    if facts.status?.sensor.mode == "buffer" || isPolledByChoice(facts) { return frequencyRights(facts) }
    return concerned(facts).filter(\.hasBuffer).compactMap { device in
      let files = (device.node.map { [$0] } ?? []) + device.settings
      return facts.hasService ? rights(ofService: files, device) : rights(ofUser: files, device, facts)
    }
  }

  private static func rights(ofService files: [MachineFacts.File], _ device: MachineFacts.Device) -> Finding?
  {
    files.first { !$0.isOpenToService }.map { closed in
      .problem(
        "the service may not set up the buffer of \(device.title): \(closed.path) is \(closed.rights), "
          + "not open to the group parallax-sensor",
        ruleAgain, hint: "after: sudo make install")
    }
  }

  private static func rights(
    ofUser files: [MachineFacts.File], _ device: MachineFacts.Device, _ facts: MachineFacts
  ) -> Finding? {
    guard isRefused(facts, files) else { return nil }
    let closed = files.first { !$0.isWritable } ?? files.first
    let which = closed.map { ": \($0.path) is \($0.rights)" } ?? ""
    return .problem(
      "the daemon may not set up the buffer of \(device.title)\(which)", "sudo make install",
      hint: "then the commands that it prints: a service and a udev rule")
  }

  private static let ruleAgain =
    "sudo systemd-sysusers && sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=iio"

  /// Without the right to set it the sensor is read all the same, as fast as it was set before.
  private static func frequencyRights(_ facts: MachineFacts) -> [Finding] {
    let sentence = facts.status?.sensor.why.prefix(20).first {
      $0.contains("no right to set the frequency")
        || $0.contains("Permission denied") && $0.contains("the frequency stays")
    }
    guard let sentence else { return [] }
    return [
      facts.hasService
        ? .problem(sentence.printable(), ruleAgain, hint: "after: sudo make install")
        : .note(sentence.printable())
    ]
  }

  private static func isRefused(_ facts: MachineFacts, _ files: [MachineFacts.File]) -> Bool {
    guard let status = facts.status else {
      // Who would start it now is who asks; of one that is there nobody knows what it may do.
      guard case .absent = facts.daemon else { return false }
      return files.contains { !$0.isWritable }
    }
    return status.reason == .permission || status.sensor.why.contains { $0.contains("Permission denied") }
  }

  /// Whether values are polled one by one because somebody wants it so: by configuration, or for the sake of
  /// iio-sensor-proxy, which has the other half of the part.
  static func isPolledByChoice(_ facts: MachineFacts) -> Bool {
    guard let status = facts.status, status.sensor.mode == "poll" else { return false }
    return status.sensor.why.contains {
      $0.hasPrefix("poll: ") && ($0.contains("`mode` in [sensor]") || $0.contains("iio-sensor-proxy"))
    }
  }

  /// A buffer needs something that starts its scans. The daemon has tried; without one, the files tell.
  static func trigger(_ facts: MachineFacts) -> [Finding] {
    let candidates = concerned(facts).filter { $0.hasBuffer && $0.takesTrigger && $0.currentTrigger == nil }
    guard let device = candidates.first else { return [] }
    guard let status = facts.status, status.sensor.mode != nil || status.state == .waiting else {
      return facts.triggers.isEmpty && facts.hrtimer == nil ? [noTrigger(device, facts, "")] : []
    }
    let sentences = [status.text] + status.sensor.why.filter { $0.hasPrefix("poll: ") }
    guard status.sensor.mode != "buffer" || status.state == .waiting,
      sentences.contains(where: { $0.contains("no trigger that would start its scans") })
    else { return [] }
    let isPolled = status.sensor.mode == "poll"
    return [
      noTrigger(device, facts, isPolled ? ", so its values are polled one by one" : ", so nothing is read")
    ]
  }

  private static func noTrigger(
    _ device: MachineFacts.Device, _ facts: MachineFacts, _ consequence: String
  ) -> Finding {
    let text = "\(device.title) has a buffer but no trigger, and none can be made"
    guard let hrtimer = facts.hrtimer else {
      let mount =
        facts.hasConfigfs
        ? "" : " && { mountpoint -q \(configfs) || sudo mount -t configfs none \(configfs); }"
      let restart = facts.hasService ? " && \(restart(facts))" : ""
      return .problem(
        "\(text)\(consequence)", "sudo modprobe iio-trig-hrtimer\(mount)\(restart)",
        hint: facts.hasService ? nil : "then start parallaxd again, as root")
    }
    return .problem("\(text) (\(hrtimer.path) is \(hrtimer.rights))\(consequence)", restart(facts))
  }

  private static let configfs = "/sys/kernel/config"
}

extension MachineFacts.File {
  /// Whether the udev rule has handed it over.
  var isOpenToService: Bool { group == "parallax-sensor" && isOpenToGroup }
}
