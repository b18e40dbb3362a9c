import Wire

extension Server {
  /// Counts who listens, and tells the delegate where that has changed.
  func updateAudience() {
    var now = Audience()
    now.connections = sessions.count - refused
    now.pages = pageSessions.count
    now.subscribers = rawStreams.count + now.pages
    // Who reads a page looks when it likes: it is to be as new as can be.
    var patience = rawStreams.isEmpty && pageSessions.isEmpty ? Int64.max : 0
    for group in groups {
      now.subscribers += group.count
      if group.kind.options.wantsNoMotion(reducedMotionScale: reducedMotionScale) {
        now.reduced += group.count
      } else {
        if group.seesTilt { now.tilts += group.count }
        patience = min(patience, group.kind.options.minIntervalNanoseconds)
      }
    }
    if now.reduced < now.subscribers { now.patienceNanoseconds = patience }
    guard now != audience else { return }
    audience = now
    delegate?.audienceDidChange()
  }

  /// Who asked for reduced motion sees at once what is left of it now.
  func reducedMotionScaleDidChange() {
    updateAudience()
    guard let delegate, audience.subscribers > 0 else { return }
    publishToReduced(delegate.presentEvent)
  }
}
