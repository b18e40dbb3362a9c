// The fields come in the order of the interface description. `reason` is left out where there is none, `gap`
// where it is false, `dropped` where it is 0, `rate` and `tilt` where they were not asked for: at a hundred events a
// second what says nothing is not sent.

extension JSONBuffer {
  /// An event as a reply with its end: one of a stream, or the only one.
  package mutating func appendReply(_ event: MotionEvent, continues: Bool, in form: MessageForm) {
    appendReply(continues: continues, in: form) { $0.appendMembers(of: event) }
  }

  /// An event of a stream with its end, and one more member at its end.
  package mutating func appendReply(
    _ event: MotionEvent, in form: MessageForm, scene: (inout JSONBuffer) -> Void
  ) {
    appendReply(continues: true, in: form) { reply in
      reply.appendMembers(of: event)
      reply.key("scene")
      scene(&reply)
    }
  }

  /// A bare event, without envelope or end.
  package mutating func append(_ event: MotionEvent) {
    beginObject()
    appendMembers(of: event)
    endObject()
  }

  private mutating func appendMembers(of event: MotionEvent) {
    member("sequence", event.sequence)
    member("timestamp_ns", event.timestampNanoseconds)
    member("x", event.x)
    member("y", event.y)
    member("state", event.state.rawValue)
    if let reason = event.reason { member("reason", reason.rawValue) }
    member("reduced_motion", event.reducedMotion)
    if event.gap { member("gap", true) }
    if event.dropped > 0 { member("dropped", event.dropped) }
    if let rate = event.rate {
      key("rate")
      beginObject()
      member("x", rate.x)
      member("y", rate.y)
      member("z", rate.z)
      endObject()
    }
    if let tilt = event.tilt {
      key("tilt")
      beginObject()
      member("x", tilt.x)
      member("y", tilt.y)
      endObject()
    }
  }
}
