import Linux
import SceneWire
import Wire

/// All that the live picture shows; fed with events, drawn by `WatchPicture`.
struct WatchState: Sendable {
  /// `bmi160`, or what is played.
  private(set) var sensorName = ""
  /// `iio`, `replay` or `demo`; empty before the status is known.
  private var backend = ""
  /// Whether the motion is made up: the demonstration trace.
  var isSynthetic: Bool { backend == "demo" }
  private(set) var daemonVersion = ""
  /// θ in force, rad/s.
  private(set) var threshold = 0.1
  /// The daemon's own sentence on the state and reason beside it.
  private var text = ""
  private var textState: (state: MotionState, reason: StateReason?)?

  private(set) var event = MotionEvent()
  /// What came of the scene with it, where there is one.
  private(set) var scene: SceneNumbers?
  /// Whether an event has come.
  private var hasEvent = false
  /// The sequence of the first event.
  private var firstSequence: Int64 = -1
  /// Updates missed because this terminal did not read in time.
  private(set) var droppedCount: Int64 = 0
  private(set) var trail = Trail()
  /// Whether rates were asked for and given.
  var showsRates = false
  /// Full scale of the rate bars, rad/s; grows only.
  private(set) var rateScale = 0.5
  /// What came of a key, for people; empty: nothing to say.
  var notice = ""
  /// The window of the picture drawn last.
  var viewport: Viewport?

  /// Takes what the status says of the sensor and the settings.
  mutating func take(_ status: Status) {
    backend = status.sensor.backend
    sensorName = PlainText.narrow(status.sensor.name ?? status.sensor.backend)
    daemonVersion = PlainText.narrow(status.version)
    text = PlainText.narrow(status.text)
    textState = (status.state, status.reason)
    if let value = status.setting("motion.threshold").flatMap(Double.init), value.isFinite, value >= 0 {
      threshold = value
    }
    rateScale = max(rateScale, Viewport.step(notBelow: threshold * 4))
  }

  /// Takes an event seen at `now` (CLOCK_MONOTONIC, nanoseconds).
  mutating func take(_ event: MotionEvent, _ scene: SceneNumbers? = nil, now: Int64) {
    // Recentered, or reduced: no sample has made this jump.
    let wasElsewhere = (self.event.x, self.event.y) != (0, 0)
    if wasElsewhere, event.x == 0, event.y == 0, event.sequence == self.event.sequence { trail.clear() }
    if !hasEvent { firstSequence = event.sequence }
    hasEvent = true
    self.event = event
    self.scene = scene
    droppedCount += max(0, min(event.dropped, Int64.max / 2 - droppedCount))
    trail.append(TrailPoint(x: event.x, y: event.y, seenAtNanoseconds: now))
    if let rate = event.rate {
      let largest = max(rate.x.magnitude, rate.y.magnitude, rate.z.magnitude)
      if largest.isFinite, largest > rateScale { rateScale = Viewport.step(notBelow: largest) }
    }
  }

  /// Lets the trail fade.
  mutating func expire(_ now: Int64) { trail.forget(before: now) }

  /// What the daemon does, in a line.
  var stateText: String {
    var line = event.state.rawValue
    if let reason = event.reason { line += " (\(reason.rawValue))" }
    if event.reducedMotion, event.state != .reduced { line += ", reduced motion" }
    // The status was asked for on its own: it may be older or newer than the event.
    let isAboutEvent = textState.map { $0 == (event.state, event.reason) } ?? false
    // Idle for want of a subscriber: by the time that we read this there is one.
    let explanation = event.state == .idle ? "" : isAboutEvent ? text : Self.explanation(of: event)
    return explanation.isEmpty ? line : "\(line): \(explanation)"
  }

  private static func explanation(of event: MotionEvent) -> String {
    switch event.reason {
    case .noDevice: return "no gyroscope; `parallaxd --list-sensors` shows what there is"
    case .permission: return "no right to the sensor; `parallaxctl status` says more"
    case .busy: return "another program holds the sensor"
    case .noData: return "the sensor gives nothing"
    case .suspended: return "the machine sleeps"
    case .replayEnded: return "the recording has been played to its end"
    case .configuration, .user, nil: break
    }
    switch event.state {
    case .reduced: return "the content stays at rest"
    default: return ""
    }
  }
}

extension WatchState {
  /// Whether the recording that the daemon plays has come to its end.
  var hasPlayed: Bool { event.reason == .replayEnded }

  /// Why a recording cannot be played further; nil where there is none, or where it is worth waiting: a
  /// gyroscope may come back, a row stays broken.
  var brokenReplay: String? {
    guard event.state == .waiting, event.reason == .configuration, backend == "replay" else { return nil }
    let isAboutEvent = textState.map { $0 == (event.state, event.reason) } ?? false
    return isAboutEvent ? text : "the recording cannot be played; `parallaxctl status` says why"
  }

  /// The last line: where it ended.
  var summary: String {
    let x = DecimalText.signed(event.x, digits: 2)
    let y = DecimalText.signed(event.y, digits: 2)
    // A daemon that was started anew counts from 0 again.
    let updates = max(0, event.sequence.subtractingReportingOverflow(firstSequence).partialValue)
    let start = hasPlayed ? "the recording has been played: " : ""
    return "\(start)ended at x \(x), y \(y) points, \(updates.counted("update"))\(mark)"
  }

  private var mark: String { isSynthetic ? "  SYNTHETIC" : "" }

  /// First line where there is no picture: who moves.
  var headline: String {
    "parallaxd \(daemonVersion)  \(isSynthetic ? "SYNTHETIC demonstration, no sensor" : sensorName)"
  }

  /// An event as a plain line.
  var line: String {
    var line = "x \(DecimalText.signed(event.x, digits: 2, width: 9))"
    line += "  y \(DecimalText.signed(event.y, digits: 2, width: 9))"
    if let tilt = event.tilt {
      line += "  tilt \(DecimalText.signed(tilt.x, digits: 2)) \(DecimalText.signed(tilt.y, digits: 2))"
    }
    if let rate = event.rate {
      let axes = [rate.x, rate.y, rate.z].map { DecimalText.signed($0, digits: 3, width: 7) }
      line += "  rate \(axes.joined(separator: " "))"
    }
    line += "  \(event.state == .running ? event.state.rawValue : stateText)"
    if let scene { line += "  \(scene.text)" }
    if droppedCount > 0 { line += "  missed \(droppedCount)" }
    return line + mark
  }
}
