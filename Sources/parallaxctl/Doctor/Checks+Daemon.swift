import Linux
import Motion
import Wire

extension Checks {
  /// Does it run, and what does it say itself?
  ///
  /// - Parameter isExplained: whether a finding before says why there is no sensor.
  static func daemon(_ facts: MachineFacts, isExplained: Bool) -> [Finding] {
    switch facts.daemon {
    case .absent(let text):
      // What to do about it the finding says itself, for this machine.
      let advice = text.firstRange(of: "; start it (")?.lowerBound ?? text.endIndex
      return [absence(facts, String(text[..<advice]))]
    case .refused(let text):
      // The text names the group that would let this user in, where there is one.
      let group = text.split(separator: "`").first { $0.hasPrefix("sudo usermod ") }.map(String.init)
      return [
        .problem(text, group ?? "sudo parallaxctl doctor", hint: group == nil ? nil : "then log in again")
      ]
    case .hangs(let text): return said(facts, isExplained: true) + [.problem(text, forcedRestart(facts))]
    case .failed(let text):
      let command = facts.hasService ? "systemctl status parallaxd" : nil
      return said(facts, isExplained: true) + [.problem(text, command)]
    case .answers: return said(facts, isExplained: isExplained)
    }
  }

  private static func absence(_ facts: MachineFacts, _ text: String) -> Finding {
    guard let units = facts.units else { return .problem(text, "parallaxd") }
    let service = units["parallaxd.service"] ?? UnitState()
    let socket = units["parallaxd.socket"] ?? UnitState()
    guard facts.hasService else {
      return .problem("parallaxd is not installed as a service; \(text)", "sudo make install")
    }
    if service.active == "failed" || socket.active == "failed" {
      let unit = service.active == "failed" ? "parallaxd.service" : "parallaxd.socket"
      let result = service.active == "failed" ? service.result : socket.result
      return .problem("\(unit) has failed (\(result)); \(text)", "journalctl --unit=\(unit) --lines=50")
    }
    // The socket is there, so whoever should answer on it has a reason not to.
    if socket.active == "active" { return .problem(text, log(facts)) }
    return .problem(
      "parallaxd.socket is \(socket.active.isEmpty ? "not there" : socket.active); \(text)",
      "sudo systemctl enable --now parallaxd.socket")
  }

  private static func said(_ facts: MachineFacts, isExplained: Bool) -> [Finding] {
    guard let status = facts.status else { return [] }
    var findings: [Finding] = []
    if let error = status.configuration.lastError {
      findings.append(.problem("the last reload was refused: \(error.printable())", checkCommand(facts)))
    }
    switch status.state {
    case .waiting where status.reason == .replayEnded:
      findings.append(.note("the daemon has played its recording to the end"))
    case .waiting, .stalled:
      let reason = status.reason.map { " (\($0.rawValue))" } ?? ""
      let text = "the daemon has no scans\(reason): \(status.text.printable())"
      findings.append(isExplained ? .note(text) : .problem(text, remedy(of: status.reason, facts)))
    case .reduced:
      findings.append(.note("motion is reduced, so the sensor is off: \(status.text.printable())"))
    case .starting: findings.append(.note("the sensor was still being switched on"))
    case .idle, .running: break
    }
    return findings + matrix(status, facts)
  }

  /// What the daemon says of a mount matrix that cannot be right. Once the user has said how the sensor is
  /// mounted, it is only good to know.
  private static func matrix(_ status: Status, _ facts: MachineFacts) -> [Finding] {
    let isSettled =
      status.sensor.mountMatrixFrom == "configuration" || facts.configuredKeys.contains("sensor.axes")
      || ![nil, "XYZ"].contains(status.setting("sensor.axes"))
    return status.sensor.why.prefix(20).compactMap { sentence in
      let isNone = sentence.contains("is no mount matrix")
      guard isNone || sentence.contains("is no rotation") else { return nil }
      if isSettled { return .note(sentence.printable()) }
      guard isNone else {
        return .problem(sentence.printable(), "sudo parallaxctl doctor --axes")
      }
      return .problem(
        sentence.printable()
          + "; [1, 0, 0, 0, 1, 0, 0, 0, 1] leaves the axes as they are, and `sudo parallaxctl "
          + "doctor --axes` finds how they lie",
        settings("sensor", ["mount_matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]"], facts))
    }
  }

  private static func remedy(of reason: StateReason?, _ facts: MachineFacts) -> Remedy? {
    switch reason {
    case .noData:
      .command(
        "cat /sys/bus/iio/devices/*/trigger/current_trigger",
        hint: "a trigger that stands still starts no scans")
    case .noDevice: .command("parallaxd --list-sensors")
    case .suspended: .command(restart(facts))
    case .configuration: .command(checkCommand(facts))
    default: nil
    }
  }
}
