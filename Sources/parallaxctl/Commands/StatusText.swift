import Glibc
import Linux
import Settings
import Wire

/// The status for people: a label and what is to be said, line by line.
enum StatusText {
  /// The lines; what does not apply is left out, and so is a setting that has its default.
  static func lines(_ status: Status) -> [String] {
    var rows: [(String, String)] = []
    func add(_ label: String, _ text: String?) {
      if let text, !text.isEmpty { rows.append((label, text.printable())) }
    }
    add("parallaxd", status.version)
    add("state", state(status))
    add("", status.text)
    add("", status.retryIn.map { "next try in \(DecimalText.fixed($0, digits: 0)) s" })
    addSensor(status.sensor, add)
    add("bias", bias(status))
    add("tilt", status.tilt)
    let pages = status.pages ?? 0
    let reading = pages > 0 ? ", \(pages) of them by the page" : ""
    add(
      "subscribers",
      "\(status.subscribers) on \(status.connections.counted("connection"))\(reading)")
    addCounters(status.counters, add)
    add("configuration", files(status.configuration))
    add("", status.configuration.loadedAt > 0 ? "loaded \(time(status.configuration.loadedAt))" : nil)
    add("", scenes(status.configuration))
    add("", status.configuration.lastError.map { "LAST RELOAD REFUSED: \($0)" })
    addSettings(status.settings, add)
    return LabelledRows.lines(rows)
  }

  private static func state(_ status: Status) -> String {
    var text = status.state.rawValue
    if let reason = status.reason { text += " (\(reason.rawValue))" }
    if status.reducedMotion, status.state != .reduced { text += ", reduced motion" }
    return text
  }

  private static func addSensor(_ sensor: Status.Sensor, _ add: (String, String?) -> Void) {
    var name = sensor.name ?? "none yet"
    if let label = sensor.label { name += " “\(label)”" }
    let backend = sensor.backend == "demo" ? "demo, SYNTHETIC: a modelled hand, no sensor" : sensor.backend
    // A recording is named by its path, which ends in its name.
    let isFile = sensor.backend == "replay" && sensor.path?.hasSuffix(sensor.name ?? "") == true
    add("sensor", "\(isFile ? sensor.path ?? name : name) (\(backend))")
    add("", isFile ? nil : sensor.path ?? sensor.id)
    add("", sensor.uri == "local:" ? "of this machine" : sensor.uri)
    add("", sensor.mode.map { "mode \($0)" })
    for reason in sensor.why.prefix(20) { add("", reason) }
    add("frequency", frequency(sensor))
    add("clock", sensor.clock)
    add("scale", sensor.scale.map { scale($0, of: sensor) })
    if let matrix = sensor.mountMatrix, matrix.count == 9 {
      let rows = stride(from: 0, to: 9, by: 3).map { numbers(Array(matrix[$0..<$0 + 3])) }
      let from = sensor.mountMatrixFrom.map { "  (\($0))" } ?? ""
      add("mount matrix", rows.joined(separator: "; ") + from)
    }
    add("skipped rows", sensor.skippedRows.flatMap { $0 > 0 ? "\($0)" : nil })
  }

  /// A recording has units of its own; most are in rad/s already.
  private static func scale(_ values: [Double], of sensor: Status.Sensor) -> String {
    guard sensor.backend == "replay" else { return "\(numbers(values)) rad/s per LSB" }
    return values.allSatisfy { $0 == 1 }
      ? "the recording is in rad/s" : "\(numbers(values)) rad/s per raw unit"
  }

  private static func addSettings(_ settings: [Status.Setting], _ add: (String, String?) -> Void) {
    let defaults = Dictionary(Settings().inForce.map { ($0.name, $0.value) }) { first, _ in first }
    // On the wire an infinite one is null.
    let present = settings.prefix(500).map { (name: $0.name, value: $0.value ?? "inf") }
    let changed = present.filter { defaults[$0.name] != $0.value }
    for (index, setting) in changed.enumerated() {
      let usual = defaults[setting.name].map { " (default \($0))" } ?? ""
      add(index == 0 ? "settings" : "", "\(setting.name) = \(setting.value)\(usual)")
    }
    let rest = settings.count - changed.count
    if rest > 0 { add(changed.isEmpty ? "settings" : "", "\(rest) at their defaults (--json lists them)") }
  }

  private static func frequency(_ sensor: Status.Sensor) -> String? {
    let parts = [
      ("asked", sensor.frequencyAsked, 1), ("set", sensor.frequencySet, 1),
      ("measured", sensor.frequencyMeasured, 2),
    ].compactMap { name, value, digits in
      value.map { "\(name) \(DecimalText.fixed($0, digits: digits))" }
    }
    return parts.isEmpty ? nil : "\(parts.joined(separator: ", ")) Hz"
  }

  private static func bias(_ status: Status) -> String {
    let confidence = status.biasConfidence.map { ", confidence \(DecimalText.fixed($0, digits: 2))" } ?? ""
    let bias = status.bias.prefix(3).map { DecimalText.brief($0, digits: 6) }.joined(separator: " ")
    return "\(bias) rad/s\(confidence)"
  }

  /// The first few, written as Swift does; one where all are the same.
  private static func numbers(_ values: [Double]) -> String {
    let shown =
      values.count > 1 && Set(values).count == 1 && values[0] != 0 ? [values[0]] : Array(values.prefix(9))
    return shown.map { $0 == $0.rounded() && $0.magnitude < 1e9 ? DecimalText.fixed($0, digits: 0) : "\($0)" }
      .joined(separator: " ")
  }

  private static func addCounters(_ counters: Status.Counters, _ add: (String, String?) -> Void) {
    add("samples", "\(counters.samples), \(counters.updates) updates, \(counters.gaps) gaps")
    let lost = [
      ("invalid", counters.invalid), ("out of order", counters.outOfOrder),
      ("clock steps", counters.clockSteps),
    ].filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }
    add("", lost.joined(separator: ", "))
    add("events", "\(counters.eventsSent) sent, \(counters.dropped) dropped, \(counters.wakeups) wake-ups")
  }

  private static func scenes(_ configuration: Status.Configuration) -> String? {
    guard let scenes = configuration.scenes, !scenes.isEmpty else { return nil }
    return "scenes \(scenes.prefix(64).joined(separator: ", "))"
  }

  private static func files(_ configuration: Status.Configuration) -> String {
    configuration.files.isEmpty
      ? "built-in defaults" : configuration.files.prefix(50).joined(separator: ", ")
  }

  /// Local time, `2025-03-01 14:05:09`.
  private static func time(_ secondsSinceEpoch: Int64) -> String {
    var seconds = time_t(secondsSinceEpoch)
    var fields = tm()
    guard localtime_r(&seconds, &fields) != nil else { return "\(secondsSinceEpoch)" }
    let length = 32
    return String(
      unsafeUninitializedCapacity: length
    ) { buffer in
      buffer.withMemoryRebound(to: CChar.self) {
        guard let start = $0.baseAddress else { return 0 }
        return strftime(start, length, "%Y-%m-%d %H:%M:%S", &fields)
      }
    }
  }
}
