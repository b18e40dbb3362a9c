import Wire

extension Server {
  /// Carries out a call and replies to it, unless it is one-way.
  func answer(_ call: Call, of session: Session) {
    let form = session.form
    let isOneway = call.mode == .oneway
    do throws(ServiceError) {
      switch try call.request.get() {
      case .getInfo: reply(to: session, isOneway) { $0.appendInfo(in: form) }
      case .getInterfaceDescription(let interface):
        reply(to: session, isOneway) { $0.appendDescription(of: interface, in: form) }
      case .subscribe(let options): try subscribe(session, options)
      case .subscribeRaw(let recenter): try subscribeRaw(session, recenter: recenter)
      case .openPage:
        // Without a reply the descriptor goes nowhere.
        if !isOneway { try openPage(session) }
      case .getMotion:
        var event = delegate?.presentEvent ?? MotionEvent()
        event.rate = nil
        reply(to: session, isOneway) { $0.appendReply(event, continues: false, in: form) }
      case .getStatus:
        guard let status = delegate?.makeStatus() else { throw .methodNotImplemented(call.method) }
        reply(to: session, isOneway) { $0.appendReply(status, in: form) }
      case .recenter:
        try requireControl(session)
        delegate?.recenter()
        reply(to: session, isOneway) { $0.appendReply(in: form) }
      case .pan(let x, let y):
        try requireControl(session)
        delegate?.pan(x: x, y: y)
        reply(to: session, isOneway) { $0.appendReply(in: form) }
      case .calibrate(let nanoseconds):
        try requireControl(session)
        try calibrate(session, nanoseconds: nanoseconds, isOneway: isOneway)
      case .setReducedMotion(let enabled):
        try requireControl(session)
        if call.mode == .more { holdDidBegin(session) } else { delegate?.setReducedMotion(enabled) }
        reply(to: session, isOneway) { $0.appendReply(continues: call.mode == .more, in: form) }
      }
    } catch {
      reply(to: session, isOneway) { $0.appendError(error, in: form) }
    }
  }

  private func subscribe(_ session: Session, _ options: SubscribeOptions) throws(ServiceError) {
    if options.wantsRate, !access.maySeeRates(session.descriptor) { throw .permissionDenied }
    var options = options
    let scene = try openScene(options.scene, rotation: options.screenRotation)
    options.scene = nil
    session.subscribe(options, scene, present: delegate?.presentEvent ?? MotionEvent())
    // Only now: the daemon may publish as soon as it hears of the subscriber.
    if !session.isFinished { streamDidOpen(session) }
  }

  private func requireControl(_ session: Session) throws(ServiceError) {
    guard access.mayControl(session.descriptor) else { throw .permissionDenied }
  }

  private func reply(to session: Session, _ isOneway: Bool, _ write: (inout JSONBuffer) -> Void) {
    if !isOneway { session.send(written(write)) }
  }
}
