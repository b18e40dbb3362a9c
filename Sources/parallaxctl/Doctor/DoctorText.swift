import Linux
import Motion
import Wire

/// What `doctor` prints: what it saw, in short, and then what is wrong.
struct DoctorText {
  private let facts: MachineFacts
  private let findings: [Finding]

  init(_ facts: MachineFacts, _ findings: [Finding]) {
    self.facts = facts
    self.findings = findings
  }

  /// Lines, each with its end.
  func text(hasColour: Bool) -> String {
    var lines = LabelledRows.lines(rows) + [""]
    let problems = findings.filter { $0.kind == .problem }
    for finding in problems { lines += Self.lines(of: finding, hasColour: hasColour) }
    for finding in findings where finding.kind == .note {
      lines += Self.lines(of: finding, hasColour: hasColour)
    }
    lines.append(problems.isEmpty ? verdict : "\(problems.count) to mend.")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Where nothing is wrong: with what. A daemon that needs no gyroscope here says nothing of one.
  private var verdict: String {
    guard !Checks.concernThisMachine(facts), let sensor = facts.status?.sensor else {
      return "Nothing is wrong."
    }
    let source =
      switch sensor.backend {
      case "demo": "plays a demonstration"
      case "replay": "plays a recording"
      default: "reads a sensor elsewhere"
      }
    let isNone = facts.gyroscopes.isEmpty && facts.closedFolders.isEmpty
    let own = isNone ? "this machine has none" : "this machine's were not judged"
    return "Nothing is wrong with the daemon. It \(source); of gyroscopes, \(own)."
  }

  private static func lines(of finding: Finding, hasColour: Bool) -> [String] {
    let isProblem = finding.kind == .problem
    let word = isProblem ? "WRONG" : "note"
    let mark = hasColour && isProblem ? "\u{1b}[1;31m\(word)\u{1b}[0m" : word
    var lines = ["\(mark)\(isProblem ? "" : " ")  \(finding.text.printable(limit: 1000))"]
    for (index, line) in (finding.remedy?.lines ?? []).enumerated() {
      let text = line.printable()
      lines.append(
        (index == 0 ? "       → " : "         ") + (hasColour ? "\u{1b}[1m\(text)\u{1b}[0m" : text))
    }
    return lines
  }

  private var rows: [(String, String)] {
    var rows = [("machine", facts.system)]
    rows.append(("user", "\(facts.user.name), in \(facts.user.groups.prefix(30).joined(separator: ", "))"))
    let modules = facts.modules.map { $0.isEmpty ? "none for sensors" : $0.prefix(40).joined(separator: " ") }
    rows.append(("modules", modules ?? "not known: /proc/modules cannot be read"))
    if facts.devices.isEmpty { rows.append(("devices", "none")) }
    for device in facts.devices { rows += Self.rows(of: device) }
    for folder in facts.closedFolders.prefix(8) { rows.append(("closed", folder)) }
    for trigger in facts.triggers {
      let rights = trigger.frequency.map { ", sampling_frequency \($0.rights)" } ?? ""
      rows.append(("trigger", "\(trigger.id) \(trigger.name ?? "")\(rights)"))
    }
    rows.append(
      (
        "hrtimer",
        facts.hrtimer.map { "triggers can be made in \($0.path), \($0.rights)" } ?? "no triggers can be made"
      ))
    rows += serviceRows
    rows += daemonRows
    return rows
  }

  private static func rows(of device: MachineFacts.Device) -> [(String, String)] {
    let label = device.label.map { " “\($0)”" } ?? ""
    var rows = [(device.isGyroscope ? "gyroscope" : "device", device.title + label)]
    guard device.isGyroscope else { return rows }
    let node = device.node.map { "\($0.path) \($0.rights)" } ?? "no node"
    rows.append(("", device.hasBuffer ? node : "no buffer"))
    if device.hasBuffer {
      rows.append(
        ("", "trigger \(device.currentTrigger ?? "none"), buffer \(device.isBufferEnabled ? "on" : "off")"))
      if let closed = device.settings.first(where: { !$0.isOpenToService }) ?? device.settings.first {
        rows.append(("", "\(closed.path) \(closed.rights)"))
      }
      let holders = device.holders.map { list in
        list.isEmpty ? "nobody" : list.prefix(8).map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
      }
      rows.append(("", "read by \(holders ?? "whom, only root sees")"))
    }
    return rows
  }

  private var serviceRows: [(String, String)] {
    guard let units = facts.units else { return [("service", "no systemd here")] }
    return units.sorted { $0.key < $1.key }.map { name, unit in
      (name, "\(unit.load), \(unit.active)\(unit.file.isEmpty ? "" : ", \(unit.file)")")
    }
  }

  private var daemonRows: [(String, String)] {
    let silence: [(String, String)] =
      if case .answers = facts.daemon { [] } else { [("daemon", "does not answer")] }
    guard let status = facts.status else { return silence }
    var rows =
      [("daemon", "parallaxd \(status.version.printable(limit: 40)): \(status.text.printable())")] + silence
    if let mode = status.sensor.mode {
      rows.append(("", "\(status.sensor.name ?? "") by \(mode)".printable()))
    }
    for sentence in status.sensor.why.prefix(20) { rows.append(("", sentence.printable())) }
    guard let stream = facts.stream, stream.events > 0 else { return rows }
    let rates = [("set", status.sensor.frequencySet), ("measured", status.sensor.frequencyMeasured)]
      .compactMap { name, value in value.map { "\(name) \(DecimalText.fixed($0, digits: 1)) Hz" } }
    let seconds = DecimalText.fixed(stream.seconds, digits: 1)
    rows.append(
      (
        "stream",
        (["\(stream.events) updates in \(seconds) s"] + rates + ["\(stream.gaps) gaps"]).joined(
          separator: ", ")
      ))
    if stream.hasRates {
      rows.append(("mean", Self.vector(stream.mean, digits: 4)))
      rows.append(("noise", Self.vector(stream.deviation, digits: 5) + ", one standard deviation"))
    }
    return rows
  }

  private static func vector(_ v: Vector3, digits: Int) -> String {
    [v.x, v.y, v.z].map { DecimalText.fixed($0, digits: digits) }.joined(separator: " ") + " rad/s"
  }
}
