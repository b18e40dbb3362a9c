import Linux

extension Server {
  /// How long listeners wait for descriptors when no connection closes before, nanoseconds.
  private static let acceptRetryNanoseconds: Int64 = 1_000_000_000

  /// A session's deadline is another one, or none any more. The one timer of the server is armed only while
  /// some session waits for the clock: an idle daemon is not woken.
  func deadlineDidMove(of session: Session) {
    let waits = session.deadline != .max
    if waits != session.isCountedAsWaiting {
      session.isCountedAsWaiting = waits
      waitingSessions += waits ? 1 : -1
    }
    if waits { arm(at: session.deadline) } else { disarmIfIdle() }
  }

  /// No descriptor is left for new connections: they wait in the listeners' queues.
  func listenerDidStall() {
    acceptDeadline = MonotonicClock.nanoseconds + Self.acceptRetryNanoseconds
    arm(at: acceptDeadline)
  }

  /// A connection has closed, or time has passed.
  func resumeAccepting() {
    guard acceptDeadline != .max else { return }
    acceptDeadline = .max
    for listener in listeners { listener.resume() }
    disarmIfIdle()
  }

  /// Somebody's deadline has come: a session's, or the listeners'.
  func timerDidFire() {
    timerDeadline = .max
    let now = MonotonicClock.nanoseconds
    if acceptDeadline <= now { resumeAccepting() }
    for session in sessions.values where session.deadline <= now { session.expire(at: now) }
    dropFinished()
    let next = sessions.values.reduce(acceptDeadline) { min($0, $1.deadline) }
    if next != .max { arm(at: next) }
  }

  private func arm(at deadline: Int64) {
    guard deadline < timerDeadline else { return }
    timerDeadline = deadline
    timer?.arm(atMonotonicNanoseconds: deadline)
  }

  private func disarmIfIdle() {
    guard waitingSessions == 0, acceptDeadline == .max, timerDeadline != .max else { return }
    timerDeadline = .max
    timer?.disarm()
  }
}
