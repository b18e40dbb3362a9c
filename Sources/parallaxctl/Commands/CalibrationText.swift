import Wire

/// What came of a calibration, in words.
enum CalibrationText {
  static func lines(_ found: CalibrationResult, before: Status) -> [String] {
    let inDegrees = triple(found.bias, by: degrees, digits: 3)
    var lines = ["bias    \(triple(found.bias, digits: 5)) rad/s, \(inDegrees) deg/s"]
    if let noise = found.noise { lines.append("noise   \(triple(noise, digits: 5)) rad/s") }
    let confidence = before.biasConfidence.map { ", confidence \(DecimalText.fixed($0, digits: 2))" } ?? ""
    lines.append("before  \(triple(before.bias, digits: 5)) rad/s\(confidence)")
    lines.append(verdict(found.bias, before))
    return lines
  }

  private static let degrees = 180 / Double.pi

  /// rad/s; of a difference below it nobody sees anything: a point a second with the rule's own settings.
  private static let visible = 0.01

  private static func verdict(_ bias: [Double], _ before: Status) -> String {
    // The daemon writes down what belongs to a sensor, and nothing of what it plays.
    let recording = recording(before)
    switch mode(before) {
    case "auto":
      let largest = zip(bias, before.bias).map { ($0 - $1).magnitude }.max() ?? 0
      let change = largest < visible ? "it was nearly right before" : "it was wrong before"
      guard let recording else {
        return "It is taken off from now on, and remembered for this sensor; \(change)."
      }
      return "It is taken off from now on until the daemon ends, and not remembered: \(recording); \(change)."
    case let other:
      let list = bias.map { DecimalText.fixed($0, digits: 5) }.joined(separator: ", ")
      let remedy =
        "In [calibration] of the configuration: mode = \"auto\", or mode = \"fixed\" with bias = [\(list)]."
      guard let recording else {
        return "It is remembered, but not taken off, since calibration.mode is \"\(other)\". \(remedy)"
      }
      return
        "It is not taken off, since calibration.mode is \"\(other)\", and not remembered: \(recording). \(remedy)"
    }
  }

  /// That it is no sensor which was measured; nil where it is one.
  private static func recording(_ status: Status) -> String? {
    switch status.sensor.backend {
    case "replay": "this is a recording, not a sensor"
    case "demo": "this is the demonstration, not a sensor"
    default: nil
    }
  }

  /// Why nothing could be measured; `reason` is a token of the daemon's.
  static func refusal(_ reason: String, _ before: Status) -> String {
    let bias = "; the bias is as it was"
    switch reason {
    case "user", "configuration":
      if before.reducedMotion {
        return "motion is reduced, so that the sensor is not read\(bias): "
          + "`parallaxctl reduced-motion off` first"
      }
    case "no-data":
      return "the sensor says nothing, or one thing for ever\(bias): `parallaxctl status` says more"
    case "replay-ended": return "the recording has been played to its end\(bias)"
    default: break
    }
    return "no sensor (\(reason.printable()))\(bias): `sudo parallaxctl doctor` says why"
  }

  private static func mode(_ status: Status) -> String {
    (status.setting("calibration.mode") ?? "auto").printable(limit: 20)
  }

  private static func triple(_ values: [Double], by factor: Double = 1, digits: Int) -> String {
    values.prefix(3).map { DecimalText.fixed($0 * factor, digits: digits) }.joined(separator: " ")
  }
}
