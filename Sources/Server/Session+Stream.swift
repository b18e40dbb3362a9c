import Wire

extension Session {
  /// Opens a stream: its first event, the present state, goes out before any other can.
  func subscribe(_ options: SubscribeOptions, _ scene: OpenScene?, present event: MotionEvent) {
    subscription = Subscription(options)
    self.scene = scene
    limitBacklog(options)
    deliver(event, isPublished: false)
  }

  /// As many events as were asked for may wait, however long those of this stream are.
  func limitBacklog(_ options: SubscribeOptions) {
    let bytes = scene.map { $0.replyBytes.lowerBound...$0.replyBytes.upperBound + EventEncodings.capacity }
    unreadLimit = SendBuffer.limit(descriptor, events: options.backlog, ofBytes: bytes)
  }

  /// Takes an event that is published to all.
  func offer(_ event: MotionEvent) {
    guard !isFinished, !isClosing else { return }
    deliver(event, isPublished: true)
  }

  /// - Parameter isPublished: whether others see the same event just now, so that its bytes are shared.
  private func deliver(_ event: MotionEvent, isPublished: Bool) {
    guard
      let view = view(of: event),
      let due = subscription?.offer(view, lost: &server.counters.dropped)
    else { return noteLost() }
    let isShared = isPublished && due.dropped == 0 && due.gap == event.gap && scene == nil
    if output.isEmpty, send(due, isShared: isShared) { return }
    guard !isFinished else { return }
    subscription?.hold(due)
    noteLost()
    settle()
  }

  /// An event as its subscriber sees it.
  private func view(of event: MotionEvent) -> MotionEvent? {
    var view = subscription?.view(of: event, reducedMotionScale: server.reducedMotionScale)
    if let scene, let reducedMotion = view?.reducedMotion {
      view?.scene = scene.place(
        tilt: server.delegate?.presentTilt ?? .neutral,
        reducedTo: reducedMotion ? server.reducedMotionScale : nil)
    }
    return view
  }

  /// Whether it reads what it is sent as it is sent, as far as is known, and nothing that others are not. Where only
  /// the kernel's account of a short backlog says that, it must be asked each time.
  var mayBeInStep: Bool {
    unreadLimit == nil && scene == nil && output.isEmpty && subscription?.held == nil && !isFinished
      && !isClosing
  }

  /// The kernel took the beginning of what was sent to many for an event that is published to all.
  func didSend(_ count: Int, of bytes: [UInt8], for event: MotionEvent) {
    output.keep(bytes[count...])
    if let view = view(of: event),
      let due = subscription?.offer(view, lost: &server.counters.dropped)
    {
      subscription?.didSend(due)
    }
    server.counters.eventsSent += 1
    settle()
  }

  /// Sends the event that had to wait, if it can go now.
  func sendHeldEvent() {
    guard let event = subscription?.heldEvent else { return }
    _ = send(event, isShared: false)
  }

  /// - Returns: false where it must wait, or where the session is finished.
  private func send(_ event: MotionEvent, isShared: Bool) -> Bool {
    if let unreadLimit, SendBuffer.unread(descriptor) >= unreadLimit { return false }
    guard let options = subscription?.options else { return false }
    let bytes =
      isShared
      ? server.encodings.shared(event, EventEncodings.Kind(options, form), in: form)
      : server.encodings.single(event, scene, in: form)
    switch output.sendUnlessBlocked(bytes, to: descriptor) {
    case nil: return false
    case .broken:
      finish()
      return false
    case .done: break
    case .blocked: settle()
    }
    subscription?.didSend(event)
    server.counters.eventsSent += 1
    noteLost()
    return true
  }
}
