import Linux
import Motion
import Wire

extension Checks {
  /// Does it run, and what does it say itself?
  static func daemon(_ facts: MachineFacts) -> [Finding] {
    switch facts.daemon {
    case .absent(let text): return [absence(facts, text)]
    case .refused(let text): return [.problem(text, groupCommand(facts))]
    case .failed(let text): return [.problem(text, "systemctl status parallaxd")]
    case .answers(let status): return said(by: status, facts)
    }
  }

  private static func groupCommand(_ facts: MachineFacts) -> String {
    "sudo usermod --append --groups parallax \(facts.user.name)    (then log in again)"
  }

  private static func absence(_ facts: MachineFacts, _ text: String) -> Finding {
    guard let units = facts.units else { return .problem(text, "parallaxd") }
    let service = units["parallaxd.service"] ?? UnitState()
    let socket = units["parallaxd.socket"] ?? UnitState()
    if service.load != "loaded" {
      return .problem("parallaxd is not installed as a service; \(text)", "sudo make install")
    }
    if service.active == "failed" || socket.active == "failed" {
      let unit = service.active == "failed" ? "parallaxd.service" : "parallaxd.socket"
      let result = service.active == "failed" ? service.result : socket.result
      return .problem("\(unit) has failed (\(result)); \(text)", "journalctl --unit=\(unit) --lines=50")
    }
    return .problem(
      "parallaxd.socket is \(socket.active.isEmpty ? "not there" : socket.active); \(text)",
      "sudo systemctl enable --now parallaxd.socket")
  }

  private static func said(by status: Status, _ facts: MachineFacts) -> [Finding] {
    var findings: [Finding] = []
    if let error = status.configuration.lastError {
      findings.append(
        .problem("the last reload was refused: \(error.printable())", "parallaxd --check-config"))
    }
    switch status.state {
    case .waiting where status.reason == .replayEnded:
      findings.append(.note("the daemon has played its recording to the end"))
    case .waiting, .stalled:
      let reason = status.reason.map { " (\($0.rawValue))" } ?? ""
      findings.append(
        .problem("the daemon has no scans\(reason): \(status.text.printable())", remedy(of: status.reason)))
    case .reduced:
      findings.append(.note("motion is reduced, so the sensor is off: \(status.text.printable())"))
    case .starting: findings.append(.note("the sensor was still being switched on"))
    case .idle, .running: break
    }
    for sentence in status.sensor.why.prefix(20)
    where sentence.contains("doctor --axes") || sentence.contains("no mount matrix") {
      findings.append(.problem(sentence.printable(), "parallaxctl doctor --axes"))
    }
    return findings
  }

  private static func remedy(of reason: StateReason?) -> String? {
    switch reason {
    case .noData: "cat /sys/bus/iio/devices/*/trigger/current_trigger    (a trigger that stands still)"
    case .suspended: "sudo systemctl restart parallaxd"
    case .configuration: "parallaxd --check-config"
    default: nil
    }
  }

  /// What its stream shows.
  static func stream(_ facts: MachineFacts) -> [Finding] {
    guard let status = facts.status, status.state == .running else { return [] }
    guard let stream = facts.stream, stream.events > 0 else {
      return [.problem("the daemon runs, but no event of a running sensor came in time", "parallaxctl watch")]
    }
    var findings = frequency(status.sensor) + interruptions(stream)
    guard stream.hasRates else {
      findings.append(
        .note(
          "the rates may not be seen, so noise and bias are unknown",
          "sudo usermod --append --groups parallax-control \(facts.user.name)"))
      return findings
    }
    if stream.isFrozen, stream.events >= 20 {
      findings.append(
        .problem(
          "the sensor gives the same values again and again: it hangs, or its driver does",
          "sudo systemctl restart parallaxd    (or suspend and resume; a resting gyroscope has noise)"))
    } else if stream.wasMoved {
      findings.append(.note("the device was moved meanwhile: lay it down for noise and bias"))
    } else {
      findings += drift(stream, status)
    }
    return findings
  }

  private static func frequency(_ sensor: Status.Sensor) -> [Finding] {
    guard let set = sensor.frequencySet, let measured = sensor.frequencyMeasured, set > 0,
      (measured - set).magnitude > 0.2 * set
    else { return [] }
    let (real, nominal) = (DecimalText.fixed(measured, digits: 1), DecimalText.fixed(set, digits: 1))
    return [
      .problem(
        "the sensor gives \(real) samples a second where \(nominal) are set",
        "sampling_frequency = …    (in [sensor] of /etc/parallaxd/parallaxd.toml: try another rate)")
    ]
  }

  private static func interruptions(_ stream: StreamFacts) -> [Finding] {
    var findings: [Finding] = []
    if stream.gaps > 0 {
      findings.append(
        .problem(
          "\(stream.gaps) gap\(stream.gaps == 1 ? "" : "s") in \(DecimalText.fixed(stream.seconds, digits: 1)) s: "
            + "scans are missing", "journalctl --unit=parallaxd --lines=50"))
    }
    if stream.dropped > 0 {
      findings.append(.note("\(stream.dropped) updates were not read in time: this machine is busy"))
    }
    return findings
  }

  /// A bias beyond the dead zone moves the content of a device at rest.
  private static func drift(_ stream: StreamFacts, _ status: Status) -> [Finding] {
    let threshold =
      status.settings.first { $0.name == "motion.threshold" }.flatMap { Double($0.value ?? "") } ?? 0.1
    let largest = max(stream.mean.x.magnitude, stream.mean.y.magnitude)
    guard largest > threshold else { return [] }
    let bias = FrameOfSensor(status)?.bias(meanRate: stream.mean)
    let line = bias.map { b in
      let numbers = [b.x, b.y, b.z].map { DecimalText.fixed($0, digits: 5) }.joined(separator: ", ")
      return "mode = \"fixed\", bias = [\(numbers)]    (two lines in [calibration])"
    }
    return [
      .problem(
        "at rest the sensor shows \(DecimalText.fixed(largest, digits: 3)) rad/s, above the threshold "
          + "\(DecimalText.brief(threshold, digits: 3)): the content drifts", line)
    ]
  }
}
