import Linux
import Wire

/// The file for a bug report: what `doctor` prints, every attribute of every IIO device, and the status as it
/// came.
struct DoctorReport {
  private let facts: MachineFacts
  private let findings: [Finding]
  private let status: [UInt8]?
  private let recording: String

  /// - Parameters:
  ///   - status: the reply of `GetStatus` as one line.
  ///   - recording: what became of the recording beside it.
  init(_ facts: MachineFacts, _ findings: [Finding], status: [UInt8]?, recording: String) {
    self.facts = facts
    self.findings = findings
    self.status = status
    self.recording = recording
  }

  var text: String {
    var lines = [
      "parallaxctl doctor \(parallaxVersion)", "", DoctorText(facts, findings).text(hasColour: false),
    ]
    lines += ["== recording", recording, ""]
    lines.append("== modules")
    lines += facts.modules ?? ["not known"]
    for device in facts.devices {
      lines += ["", "== /sys/bus/iio/devices/\(device.id)"]
      for attribute in device.attributes {
        lines.append(
          "\(attribute.name): \(attribute.text ?? "(not read: it would wake the sensor, or it cannot be)")")
      }
      lines += device.settings.map { "\($0.path) \($0.rights)" }
    }
    for trigger in facts.triggers {
      lines += ["", "== /sys/bus/iio/devices/\(trigger.id)", "name: \(trigger.name ?? "none")"]
      lines += trigger.frequency.map { ["\($0.path) \($0.rights)"] } ?? []
    }
    lines += ["", "== status"]
    lines.append(status.map { String(decoding: PlainText.escapedJSON($0), as: UTF8.self) } ?? "none")
    return lines.joined(separator: "\n") + "\n"
  }
}
