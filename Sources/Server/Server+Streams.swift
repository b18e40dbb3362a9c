import Wire

extension Server {
  /// Takes an event out to the subscribers who want it; the event of one wake-up, however many updates are
  /// in it. Allocates nothing while they read.
  package func publish(_ event: MotionEvent) {
    pages.publish(event)
    guard !groups.isEmpty else { return }
    encodings.begin()
    // By index: an unoptimised iterator allocates, and the tests that count run on such a build too.
    var index = 0
    while index < groups.count {
      groups[index].offer(event, from: self)
      index += 1
    }
    dropFinished()
  }

  /// Puts a session with a stream among those like it.
  func group(_ session: Session) {
    guard let options = session.subscription?.options else { return }
    let kind = StreamGroup.Kind(options, session.form)
    if session.scene == nil, let group = groups.first(where: { $0.kind == kind && !$0.isSingle }) {
      return group.add(session)
    }
    let group = StreamGroup(kind, scene: session.scene)
    group.add(session)
    // Scenes last: what each of them costs must not come before an event that many see.
    groups.insert(
      group, at: group.isSingle ? groups.count : groups.firstIndex(where: \.isSingle) ?? groups.count)
  }

  /// Takes it away from them.
  func ungroup(_ session: Session) {
    guard let group = session.place?.group else { return }
    group.remove(session)
    if group.count == 0 { groups.removeAll { $0 === group } }
  }

  /// Those who may not see rates any more go on without.
  func withholdForbiddenRates() {
    for group in groups where group.kind.options.wantsRate {
      for session in group.sessions where !access.maySeeRates(session.descriptor) {
        ungroup(session)
        session.subscription?.withholdRates()
        self.group(session)
      }
    }
  }

  /// What is left of the motion changes for those who asked for reduced motion.
  func publishToReduced(_ event: MotionEvent) {
    encodings.begin()
    for group in groups where group.kind.options.reducedMotion { group.offer(event, from: self) }
    dropFinished()
  }
}
