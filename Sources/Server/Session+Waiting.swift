import EventLoop
import Linux
import Wire

// What a session waits for: which events of its descriptor, and the clock.

extension Session {
  private var isBlocked: Bool {
    !output.isEmpty || subscription?.held != nil || rawStream?.isBlocked == true
  }

  /// Whether more may come in: bounded by what waits already.
  private var wantsInput: Bool {
    if inputEnded { return false }
    if isClosing { return discarded <= Server.maxDiscarded }
    return input.violation == nil && input.buffered <= server.limits.wire.maxMessage
  }

  /// Brings events asked for and deadlines up to date with the state.
  func settle() {
    guard !isFinished else { return }
    if isClosing, inputEnded || discarded > Server.maxDiscarded, output.isEmpty { return finish() }
    updateInterest()
    updateMessageDeadline()
    updateOutputDeadline()
    server.deadlineDidMove(of: self)
  }

  private func updateInterest() {
    var events: IOSource.Events = []
    if wantsInput { events.insert(.readable) }
    if isBlocked {
      events.insert(.writable)
      // The kernel's least buffer has room before we want to use it: level-triggered, that would spin.
      if unreadLimit != nil, output.isEmpty { events.insert(.edgeTriggered) }
    }
    source?.events = events
  }

  private func updateMessageDeadline() {
    if refusal != nil, !isClosing { return }
    guard input.isUnfinished, wantsInput, !isClosing else {
      messageDeadline = .max
      return
    }
    if messageDeadline == .max || input.completed != completedAtDeadline {
      messageDeadline = MonotonicClock.nanoseconds + server.limits.messageTimeoutNanoseconds
      completedAtDeadline = input.completed
    }
  }

  private func updateOutputDeadline() {
    if isClosing, output.isEmpty { return }  // lingering has its own
    guard isBlocked else {
      outputDeadline = .max
      return
    }
    if outputDeadline == .max { restartOutputDeadline() }
  }

  private func restartOutputDeadline() {
    outputDeadline = MonotonicClock.nanoseconds + server.limits.clientTimeoutNanoseconds
    unreadAtDeadline = SendBuffer.unread(descriptor)
  }

  /// The clock has reached `deadline`.
  func expire(at now: Int64) {
    if outputDeadline <= now {
      // Taking a little is taking: only who has read nothing at all is closed.
      let tookSome = !isClosing && SendBuffer.unread(descriptor) < unreadAtDeadline
      guard tookSome else { return finish() }
      restartOutputDeadline()
    }
    if messageDeadline <= now {
      messageDeadline = .max
      if let refusal { return end(with: .tooManySubscribers(limit: refusal)) }
      input.finish()
      process()
    }
    settle()
  }
}
