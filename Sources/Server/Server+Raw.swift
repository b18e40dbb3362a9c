import Motion
import Wire

extension Server {
  /// Takes the samples of one wake-up out to the raw subscribers. Allocates nothing while they read.
  ///
  /// The delegate may hear of a subscriber who has gone before this returns.
  package func publishRaw(_ samples: UnsafeBufferPointer<RawSample>) {
    guard !rawStreams.isEmpty else { return }
    var index = 0
    while index < rawStreams.count {
      rawStreams[index].offerRaw(samples)
      index += 1
    }
    dropFinished()
  }

  /// The next sample belongs to another stream than the ones before: raw subscribers are told, by a header,
  /// before they get it.
  package func rawStreamDidRestart() {
    for session in rawStreams { session.restartRaw() }
  }

  /// Opens a raw stream: the daemon begins its own anew, and tells those who are there already.
  func subscribeRaw(_ session: Session, recenter: Bool) throws(ServiceError) {
    guard access.maySeeRaw(session.descriptor) else { throw .permissionDenied }
    if recenter {
      guard access.mayControl(session.descriptor) else { throw .permissionDenied }
    }
    delegate?.restartStream()
    if recenter { delegate?.recenter() }
    session.subscribeRaw()
    session.sendRaw()
    if !session.isFinished { rawStreamDidOpen(session) }
  }

  /// Ends the raw streams of those who may not have them any more.
  func endForbiddenRawStreams() {
    for session in rawStreams where !access.maySeeRaw(session.descriptor) {
      session.end(with: .permissionDenied)
      session.settle()
    }
  }
}
