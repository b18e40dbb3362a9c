import Linux
import Motion
import Wire

extension Checks {
  /// What the daemon's stream shows.
  static func stream(_ facts: MachineFacts) -> [Finding] {
    guard case .answers(let status) = facts.daemon, status.state == .running else { return [] }
    guard let stream = facts.stream, stream.events > 0 else {
      return [.problem("the daemon runs, but no event of a running sensor came in time", "parallaxctl watch")]
    }
    var findings = frequency(status, facts) + interruptions(stream, facts)
    guard stream.hasRates else {
      findings.append(
        .note("the rates may not be seen, so noise and bias are unknown", "sudo parallaxctl doctor"))
      return findings
    }
    if stream.isFrozen, stream.events >= 20 {
      findings.append(
        .problem(
          "the sensor gives the same values again and again: it hangs, or its driver does", restart(facts),
          hint: "or suspend and resume; a resting gyroscope has noise"))
    } else if stream.wasMoved {
      findings.append(.note("the device was moved meanwhile: lay it down for noise and bias"))
    } else {
      findings += drift(stream, status, facts)
    }
    return findings
  }

  /// The daemon knows at which rate samples should come, polled or not, and says where they do not. More of them
  /// than were asked for cost power, and move nothing wrongly.
  private static func frequency(_ status: Status, _ facts: MachineFacts) -> [Finding] {
    let isFast = status.sensor.frequencyMeasured ?? 0 > status.sensor.frequencySet ?? .infinity
    return status.sensor.why.prefix(20).filter { $0.contains("samples really come at") }.map {
      isFast && status.sensor.mode == "buffer"
        ? .note($0.printable()) : .problem($0.printable(), anotherFrequency(status.sensor, facts))
    }
  }

  /// What would have to be set so that what is asked for really comes, if the driver is off by a factor.
  private static func anotherFrequency(_ sensor: Status.Sensor, _ facts: MachineFacts) -> Remedy? {
    guard sensor.mode == "buffer", let set = sensor.frequencySet, let measured = sensor.frequencyMeasured,
      measured > 0
    else { return nil }
    let hertz = set * set / measured
    // The range of the setting.
    guard (0.1...10_000).contains(hertz) else { return nil }
    return settings("sensor", ["sampling_frequency = \(DecimalText.fixed(hertz, digits: 1))"], facts)
  }

  private static func interruptions(_ stream: StreamFacts, _ facts: MachineFacts) -> [Finding] {
    var findings: [Finding] = []
    if stream.gaps > 0 {
      findings.append(
        .problem(
          "\(stream.gaps.counted("gap")) in \(DecimalText.fixed(stream.seconds, digits: 1)) s: "
            + "scans are missing", log(facts)))
    }
    if stream.dropped > 0 {
      findings.append(.note("\(stream.dropped) updates were not read in time: this machine is busy"))
    }
    return findings
  }

  /// A bias beyond the dead zone moves the content of a device at rest.
  private static func drift(_ stream: StreamFacts, _ status: Status, _ facts: MachineFacts) -> [Finding] {
    let threshold = status.setting("motion.threshold").flatMap { Double($0) } ?? 0.1
    let largest = max(stream.mean.x.magnitude, stream.mean.y.magnitude)
    guard largest > threshold else { return [] }
    let bias = FrameOfSensor(status)?.bias(meanRate: stream.mean)
    return [
      .problem(
        "at rest the sensor shows \(DecimalText.fixed(largest, digits: 3)) rad/s, above the threshold "
          + "\(DecimalText.brief(threshold, digits: 3)): the content drifts",
        bias.flatMap { canLearn($0, status) ? .command("sudo parallaxctl calibrate") : fixedBias($0, facts) })
    ]
  }

  /// Whether a calibration would mend it: of what the daemon finds by itself, it has not had the time.
  private static func canLearn(_ bias: Vector3, _ status: Status) -> Bool {
    let most = status.setting("calibration.max_bias").flatMap { Double($0) } ?? 0.2
    return status.setting("calibration.mode") == "auto" && bias.numbers.allSatisfy { $0.magnitude <= most }
  }

  private static func fixedBias(_ bias: Vector3, _ facts: MachineFacts) -> Remedy? {
    let numbers = [bias.x, bias.y, bias.z]
    // The range of the setting.
    guard numbers.allSatisfy({ $0.magnitude <= 1 }) else { return nil }
    let list = numbers.map { DecimalText.fixed($0, digits: 5) }.joined(separator: ", ")
    return settings("calibration", ["mode = \"fixed\"", "bias = [\(list)]"], facts)
  }
}
