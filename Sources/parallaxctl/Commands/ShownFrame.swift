import Page
import Wire

/// A record as it is shown at one moment.
struct ShownFrame {
  private let frame: PageFrame
  /// Extrapolated to that moment.
  private let x: Double
  private let y: Double
  /// Nanoseconds since the record was written.
  private let age: Int64

  /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
  init(_ frame: PageFrame, at now: Int64) {
    self.frame = frame
    (x, y) = frame.extrapolated(toNanoseconds: now)
    // What the page says is not believed to fit.
    age = max(0, now.subtractingReportingOverflow(frame.published_monotonic_ns).partialValue)
  }

  /// For people.
  var line: String {
    var line =
      "x \(DecimalText.signed(x, digits: 2, width: 9))  y \(DecimalText.signed(y, digits: 2, width: 9))"
    if frame.hasRate {
      let axes = [frame.rate_x, frame.rate_y, frame.rate_z]
      line += "  rate " + axes.map { DecimalText.signed($0, digits: 3, width: 7) }.joined(separator: " ")
    }
    line += "  \(frame.stateToken)"
    if let reason = frame.reasonToken { line += " (\(reason))" }
    if frame.hasReducedMotion { line += ", reduced motion" }
    let milliseconds = DecimalText.fixed(Double(age) / 1e6, digits: 1)
    return line + "  \(DecimalText.update(frame.sequence)), \(milliseconds) ms old"
  }

  /// For programs: one object and a newline.
  var json: [UInt8] {
    var buffer = JSONBuffer()
    buffer.beginObject()
    buffer.member("sequence", frame.sequence)
    buffer.member("timestamp_ns", frame.timestamp_ns)
    buffer.member("published_monotonic_ns", frame.published_monotonic_ns)
    buffer.member("age_ns", age)
    buffer.member("x", x)
    buffer.member("y", y)
    buffer.member("velocity_x", frame.velocity_x)
    buffer.member("velocity_y", frame.velocity_y)
    buffer.member("state", frame.stateToken)
    if let reason = frame.reasonToken { buffer.member("reason", reason) }
    buffer.member("reduced_motion", frame.hasReducedMotion)
    if frame.hasRate {
      buffer.key("rate")
      buffer.beginObject()
      buffer.member("x", frame.rate_x)
      buffer.member("y", frame.rate_y)
      buffer.member("z", frame.rate_z)
      buffer.endObject()
    }
    if frame.hasTilt {
      buffer.key("tilt")
      buffer.beginObject()
      buffer.member("x", frame.tilt_x)
      buffer.member("y", frame.tilt_y)
      buffer.endObject()
    }
    buffer.endObject()
    buffer.end(in: .jsonLines)
    return buffer.bytes
  }
}
