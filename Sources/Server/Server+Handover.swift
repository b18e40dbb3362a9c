import Glibc
import Handover
import Linux
import Motion
import Scene
import SceneWire
import Wire

/// Why a connection that a daemon before had is closed; for the log.
package enum TakeUpFailure: Error, Equatable, CustomStringConvertible {
  case defect(HandoverDefect)
  /// The descriptor is no connection, or cannot be watched.
  case unusable
  case tooMany(limit: Int)
  /// It held reduced motion on, and may not any more.
  case forbidden
  /// The page that it had open is there no more, or not for it.
  case noPage

  package var description: String {
    switch self {
    case .defect(let defect): defect.rawValue
    case .unusable: "it is no connection"
    case .tooMany(let limit): "there are \(limit) already"
    case .forbidden: "it held reduced motion on, which it may do no more"
    case .noPage: "the page that it had open is not there for it any more"
    }
  }
}

extension Server {
  /// Goes on with a connection that a daemon before had, if it may be here at all: who is at the other end, the
  /// limits and the rights are those of now. The delegate hears of it at `didTakeUp()`.
  ///
  /// - Parameter slot: nil where nothing was written down of it.
  package func takeUp(_ descriptor: consuming FileDescriptor, slot: Int?) throws(TakeUpFailure) {
    let (record, userID): (ConnectionRecord, UInt32)
    let scene: OpenScene?
    do throws(TakeUpFailure) {
      (record, userID) = try self.record(of: descriptor, slot)
      scene = try Self.scene(of: record)
    } catch {
      // The service manager has it open too.
      shutdown(descriptor.number, Int32(SHUT_RDWR))
      throw error
    }
    guard let slot, let session = try? Session(owning: descriptor, userID: userID, server: self) else {
      throw .unusable
    }
    add(session)
    session.resume(record, scene, slot: slot)
    if session.scene != nil { sceneSessions.append(session) }
    if session.subscription != nil { group(session) }
    if session.page != nil { pageSessions.append(session) }
    if record.isHolding {
      session.beginHolding()
      holds += 1
    }
    session.process()
    session.settle()
    session.endChange()
  }

  /// Goes on with a page that a daemon before had. What is mapped of it cannot be taken back: where fewer may see rates
  /// now than then, the page with rates is given up.
  package func takeUp(_ kind: PageKind, owning descriptor: consuming FileDescriptor, ratesOf mark: UInt64)
    throws(SystemError)
  {
    try pages.takeUp(kind, owning: descriptor, present: delegate?.presentEvent ?? MotionEvent())
    if kind == .withRates, access.takesRates(from: AccessPolicy(rateMark: mark)) { giveUp(kind) }
  }

  /// All that were left have been taken up.
  package func didTakeUp() {
    for kind in [PageKind.withRates, .withoutRates] where pages.descriptor(of: kind) != nil {
      if pageSessions.contains(where: { $0.page == kind }) { pages.didOpen() } else { giveUp(kind) }
    }
    if holds > 0 { delegate?.reducedMotionHoldsDidChange(holds) }
    updateAudience()
    dropFinished()
  }

  /// The scene that its stream has, where that was.
  private static func scene(of record: ConnectionRecord) throws(TakeUpFailure) -> OpenScene? {
    guard let written = record.scene else { return nil }
    let text = Array(written.text)
    let description = try? text.withUnsafeBytes { try SceneDescription(json: $0) }
    guard let description, let rotation = record.subscription?.screenRotation else { throw .defect(.damaged) }
    return OpenScene(description, rotation: rotation, offset: Offset(x: written.x, y: written.y))
  }

  /// What was written down of it, and the user at its other end.
  private func record(of descriptor: borrowing FileDescriptor, _ slot: Int?) throws(TakeUpFailure) -> (
    ConnectionRecord, UInt32
  ) {
    guard let handover, let slot else { throw .defect(.noState) }
    let record: ConnectionRecord
    do throws(HandoverDefect) {
      record = try handover.connection(slot)
    } catch {
      throw .defect(error)
    }
    guard let peer = try? PeerCredentials(of: descriptor) else { throw .unusable }
    if let limit = limitReached(by: peer.userID) { throw .tooMany(limit: limit) }
    if let page = record.page,
      pages.descriptor(of: page) == nil || page == .withRates && !access.maySeeRates(descriptor)
    {
      throw .noPage
    }
    if record.isHolding, !access.mayControl(descriptor) { throw .forbidden }
    return (record, peer.userID)
  }
}
