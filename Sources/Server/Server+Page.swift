import CPage
import Linux
import Wire

extension Server {
  /// Gives a connection a page; from then on it counts as a subscriber.
  ///
  /// One page a connection: descriptors that nobody takes out of their sockets would use up how many the
  /// kernel lets the daemon have under way, and then nobody got one.
  func openPage(_ session: Session) throws(ServiceError) {
    guard session.page == nil else { throw .tooManySubscribers(limit: 1) }
    let kind = access.maySeeRates(session.descriptor) ? Pages.Kind.withRates : .withoutRates
    let present = delegate?.presentEvent ?? MotionEvent()
    let isThere = pages.descriptor(of: kind) != nil
    guard let descriptor = try? pages.open(kind, present: present) else {
      // No descriptor or no memory is left.
      throw .tooManySubscribers(limit: pageSessions.count)
    }
    let reply = OpenedPage(version: Int(PARALLAX_PAGE_VERSION), size: Int(PARALLAX_PAGE_SIZE))
    session.send(written { $0.appendReply(reply, in: session.form) }, carrying: descriptor)
    if !isThere, let number = pages.descriptor(of: kind) { handover?.keep(kind, number) }
    session.page = kind
    pageDidOpen(session)
  }

  /// The session has a page open.
  private func pageDidOpen(_ session: Session) {
    pageSessions.append(session)
    pages.didOpen()
    session.stay()
    updateAudience()
  }

  /// The session has its page no more; one that nobody has is given up.
  func pageDidClose(_ session: Session) {
    guard let kind = session.page else { return }
    session.page = nil
    pageSessions.removeAll { $0 === session }
    if !pageSessions.contains(where: { $0.page == kind }) { giveUp(kind) }
    if pageSessions.isEmpty { pages.didCloseAll() }
  }

  /// Nobody is to have a page any more.
  func giveUp(_ kind: Pages.Kind) {
    pages.close(kind, present: delegate?.presentEvent ?? MotionEvent())
    handover?.drop(kind)
  }

  /// Ends the page with rates where a reload has taken somebody's right to see them. What is mapped cannot be
  /// taken back: that page is given up, with the rates in it, also for those who had closed their connection
  /// and kept it. Others open it anew.
  func withdrawRates(before old: AccessPolicy) {
    guard access.takesRates(from: old) else { return }
    for session in pageSessions where session.page == .withRates {
      if access.maySeeRates(session.descriptor) {
        session.finish()
      } else {
        session.end(with: .permissionDenied)
        session.settle()
      }
      release(session)
    }
  }
}
