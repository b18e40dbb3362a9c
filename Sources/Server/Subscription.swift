import Motion
import Wire

/// What one subscriber gets to see of the events that are made: pure, so that it can be tested without
/// sockets.
///
/// `offer` takes every event. One that is due is sent by the caller, who says `didSend` or `hold`; while one
/// is held the newest takes its place, and what it replaced is counted as dropped.
struct Subscription {
  private(set) var options: SubscribeOptions
  /// As it was sent; nil before the first.
  private(set) var lastSent: MotionEvent?
  /// Due, and not sent yet because the subscriber does not read.
  private(set) var held: MotionEvent?

  /// What would have been sent last by now: the interval counts from there also while one is held.
  private var lastDue: MotionEvent?

  /// Updates made since the event before the one that is due.
  private var dueUpdates: Int64 = 0
  private var offeredSequence: Int64?
  /// Updates lost since the last event sent.
  private var dropped: Int64 = 0
  /// Whether an event since the last one sent followed a gap.
  private var gap = false

  /// - Parameter lost: updates that the subscriber missed in the time of a daemon before.
  init(_ options: SubscribeOptions, lost: Int64 = 0) {
    self.options = options
    dropped = lost
  }

  /// Updates that it will have missed if what is held is never sent.
  var lost: Int64 { held == nil ? dropped : dropped + dueUpdates }

  /// Rates are no longer for this subscriber: a reload took the right away.
  mutating func withholdRates() { options.wantsRate = false }

  /// An event as this subscriber sees it: turned as its picture is, reduced if it asked for that, and
  /// without rates and tilt if it did not ask for them.
  func view(of event: MotionEvent, reducedMotionScale: Double) -> MotionEvent {
    var view = event
    if !options.wantsRate { view.rate = nil }
    if !options.wantsTilt { view.tilt = nil }
    view.turn(by: options.screenRotation)
    guard options.reducedMotion else { return view }
    if reducedMotionScale == 0 {
      view.x = 0
      view.y = 0
      view.tilt = view.tilt.map { _ in MotionEvent.Tilt(x: 0, y: 0) }
      view.rate = nil
      view.state = .reduced
      view.reason = .user
    } else if !event.reducedMotion {  // else it is scaled already
      view.x *= reducedMotionScale
      view.y *= reducedMotionScale
      view.tilt = view.tilt.map {
        MotionEvent.Tilt(x: $0.x * reducedMotionScale, y: $0.y * reducedMotionScale)
      }
    }
    view.reducedMotion = true
    return view
  }

  /// Takes a view of an event.
  ///
  /// - Returns: the event to send now, if any.
  /// - Parameter lost: grows by the updates that are lost for good.
  mutating func offer(_ view: MotionEvent, lost: inout Int64) -> MotionEvent? {
    let updates = max(0, view.sequence &- (offeredSequence ?? view.sequence))
    offeredSequence = view.sequence
    gap = gap || view.gap
    var due = view
    due.gap = gap
    if let held {
      if admits(due, after: lastDue ?? held, updates: updates) {
        // A pan or a recentering brings no update: the ones that are held go out with it.
        if updates > 0 {
          dropped += dueUpdates
          lost += dueUpdates
          dueUpdates = updates
        }
        lastDue = due
      }
      self.held = due
      return nil
    }
    if let lastSent, !admits(due, after: lastSent, updates: updates) { return nil }
    dueUpdates = updates
    due.dropped = dropped
    return due
  }

  /// `event` is on its way.
  mutating func didSend(_ event: MotionEvent) {
    lastSent = event
    held = nil
    lastDue = nil
    dropped = 0
    gap = false
  }

  /// `event` cannot be sent yet.
  mutating func hold(_ event: MotionEvent) {
    held = event
    lastDue = event
  }

  /// The held event as it must be sent now.
  var heldEvent: MotionEvent? {
    guard var event = held else { return nil }
    event.dropped = dropped
    event.gap = gap
    return event
  }

  /// Whether `event` is due when `base` was the last one.
  private func admits(_ event: MotionEvent, after base: MotionEvent, updates: Int64) -> Bool {
    if event.state != base.state || event.reason != base.reason
      || event.reducedMotion != base.reducedMotion
    {
      return true
    }
    let differs =
      event.x != base.x || event.y != base.y || event.gap != base.gap || event.rate != base.rate
      || event.tilt != base.tilt || event.scene != base.scene
    if options.onlyChanges && !differs { return false }
    if options.minIntervalNanoseconds == 0 { return true }
    // A pan or a recentering has the old time: the interval would hold it back for ever where no sample
    // follows.
    if updates == 0 && differs { return true }
    let (elapsed, overflow) = event.timestampNanoseconds.subtractingReportingOverflow(
      base.timestampNanoseconds)
    // Time that goes back is a new stream, such as a lap of a replay.
    return overflow || elapsed < 0 || elapsed >= options.minIntervalNanoseconds
  }
}

extension Subscription {
  /// Goes on from where another one with the same options stands; the backlog is one's own.
  mutating func adopt(_ other: Subscription) {
    let own = options
    self = other
    options = own
  }

  /// Whether every event from now on means the same to both.
  func isInStep(with other: Subscription) -> Bool {
    guard held == nil, other.held == nil, dropped == 0, other.dropped == 0 else { return false }
    guard gap == other.gap, offeredSequence == other.offeredSequence else { return false }
    guard var last = lastSent, var otherLast = other.lastSent else { return false }
    otherLast.dropped = last.dropped
    if options.minIntervalNanoseconds == 0 {  // when it was sent does not matter
      last.sequence = otherLast.sequence
      last.timestampNanoseconds = otherLast.timestampNanoseconds
    }
    return last == otherLast
  }
}

extension SubscribeOptions {
  /// Whether such a subscriber wants no motion at all, so that no sensor need run for it.
  func wantsNoMotion(reducedMotionScale: Double) -> Bool { reducedMotion && reducedMotionScale == 0 }
}

extension MotionEvent {
  /// Turns offset, tilt and rate for a picture turned counter-clockwise by 0, 90, 180 or 270 degrees: the matrix R
  /// of the processing order. x of offset and tilt comes from the rate about y and y from that about x, so they
  /// turn the other way round.
  mutating func turn(by degrees: Int) {
    let offset = Offset(x: x, y: y).turned(by: degrees)
    (x, y) = (offset.x, offset.y)
    if let old = tilt {
      let turned = Offset(x: old.x, y: old.y).turned(by: degrees)
      tilt = Tilt(x: turned.x, y: turned.y)
    }
    if let old = rate {
      let turned = Offset(x: old.x, y: old.y).turned(by: 360 - degrees)
      rate = Rate(x: turned.x, y: turned.y, z: old.z)
    }
  }
}
