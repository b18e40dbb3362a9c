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

  /// Opens a raw stream: the daemon begins its own anew, and tells those who are there already. That changes
  /// what others get, so for somebody without the right to do so it goes on as it is.
  func subscribeRaw(_ session: Session, recenter: Bool) throws(ServiceError) {
    let mayControl = access.mayControl(session.descriptor)
    guard mayControl || access.allowRaw && !recenter else { throw .permissionDenied }
    if mayControl { delegate?.restartStream() }
    if recenter { delegate?.recenter() }
    // Without a header no scan has come yet: the stream is still to begin, for everybody.
    session.subscribeRaw(midStream: !mayControl && delegate?.rawHeader != nil)
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
