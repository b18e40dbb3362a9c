import CLinux
import EventLoop
import Glibc
import Handover
import Linux
import Scene
import Wire

/// The socket: listeners, connections, and the events that go out to subscribers.
///
/// Belongs to the loop's thread. Nothing that a client does or leaves undone delays another: every call here
/// is bounded and none blocks. With nothing pending it makes no wake-ups.
package final class Server {
  /// Counts since the start.
  package struct Counters: Equatable, Sendable {
    package var eventsSent: Int64 = 0
    /// Updates that subscribers missed because they did not read.
    package var dropped: Int64 = 0
  }

  /// Nanoseconds that a connection is kept open after its last reply so that the other end can read it.
  static let lingerNanoseconds: Int64 = 1_000_000_000
  /// Bytes thrown away meanwhile.
  static let maxDiscarded = 1 << 20
  /// Connections above the limits that are kept to answer their first call; more get the answer unasked.
  static let maxRefused = 16

  let loop: EventLoop
  private(set) var limits: ServerLimits
  package private(set) var access: AccessPolicy
  /// Outlives the server. Not weak: that would slow down every use of the daemon's object.
  package unowned var delegate: (any ServerDelegate)?
  package internal(set) var counters = Counters()
  package internal(set) var audience = Audience()
  /// What the next daemon goes on with; nil where nobody keeps it.
  package var handover: Handover?

  /// What is left of the motion for a subscriber that asked for reduced motion: 0 to 1.
  package var reducedMotionScale: Double = 0 {
    didSet { if reducedMotionScale != oldValue { reducedMotionScaleDidChange() } }
  }

  var encodings = EventEncodings()
  var rawMessages = RawMessages()
  private(set) var listeners: [Listener] = []
  private(set) var sessions: [ObjectIdentifier: Session] = [:]
  private var sessionsPerUser: [UInt32: Int] = [:]
  private(set) var refused = 0
  /// The streams, by what makes them differ; none is empty.
  var groups: [StreamGroup] = []
  private(set) var rawStreams: [Session] = []
  /// Streams with a scene.
  var sceneSessions: [Session] = []
  /// The scenes that subscribers can ask for by name. A stream keeps the one that it began with.
  package var namedScenes: [String: SceneDescription] = [:]
  /// Where they are looked for, for people.
  package var sceneFolder = "/etc/parallaxd/scenes"
  /// Connections that wait for a calibration, by its number.
  var calibrating: [Int: Session] = [:]
  var lastCalibration = 0
  /// Connections that have a page open.
  var pageSessions: [Session] = []
  var pages = Pages()
  /// Connections that hold reduced motion on.
  package internal(set) var holds = 0
  private var finished: [Session] = []
  private var scratch = JSONBuffer()
  private let receiveBuffer: UnsafeMutableRawBufferPointer

  private(set) var timer: TimerSource?
  /// When `timer` fires, CLOCK_MONOTONIC nanoseconds; `Int64.max`: not at all.
  var timerDeadline = Int64.max
  /// When listeners that had to stop for want of descriptors go on.
  var acceptDeadline = Int64.max
  /// Sessions that wait for the clock.
  var waitingSessions = 0

  package init(loop: EventLoop, limits: ServerLimits, access: AccessPolicy) throws(SystemError) {
    self.loop = loop
    self.limits = limits
    self.access = access
    receiveBuffer = .allocate(byteCount: 32_768, alignment: 16)
    _ = SendBuffer.chargePerEvent  // measured now, not at the first subscription
    timer = try TimerSource(loop) { [unowned self] in timerDidFire() }
  }

  deinit {
    close()
    receiveBuffer.deallocate()
  }

  // MARK: What the daemon does with it

  /// Accepts connections from a listening Unix stream socket, its own or systemd's. More than one is fine.
  package func listen(owning descriptor: consuming FileDescriptor) throws(SystemError) {
    let listener = try Listener(
      owning: descriptor, loop: loop, accept: { [unowned self] in accept($0) },
      didStall: { [unowned self] in listenerDidStall() })
    listeners.append(listener)
  }

  /// New settings. Connections stay, also above a limit that is lower now; a right that is gone ends what it
  /// allowed.
  package func apply(limits: ServerLimits, access: AccessPolicy) {
    self.limits = limits
    let old = self.access
    self.access = access
    withholdForbiddenRates()
    for session in sessions.values where session.isHolding && !access.mayControl(session.descriptor) {
      session.end(with: .permissionDenied)
      session.settle()
    }
    endForbiddenCalibrations()
    endForbiddenRawStreams()
    withdrawRates(before: old)
    dropFinished()
  }

  /// Takes no more connections; those that are there stay. What comes to systemd's socket waits for the next
  /// daemon.
  package func stopListening() { listeners = [] }

  /// Closes the listeners and every connection; the delegate hears nothing of it. Those that the service manager
  /// keeps notice nothing either, unless it drops them.
  package func close() {
    stopListening()
    for session in sessions.values { session.close() }
    sessions = [:]
    sessionsPerUser = [:]
    for group in groups { group.dissolve() }
    groups = []
    rawStreams = []
    sceneSessions = []
    handover = nil
    calibrating = [:]
    for session in pageSessions { pageDidClose(session) }
    finished = []
    refused = 0
    holds = 0
    audience = Audience()
    waitingSessions = 0
    acceptDeadline = .max
    timerDeadline = .max
    timer?.disarm()
  }

  // MARK: Connections

  /// Takes a connection that a listener accepted.
  private func accept(_ descriptor: consuming FileDescriptor) {
    guard let peer = try? PeerCredentials(of: descriptor) else { return }
    let refusal = limitReached(by: peer.userID)
    if let refusal, refused >= Self.maxRefused {
      var output = OutputQueue()
      let error = ServiceError.tooManySubscribers(limit: refusal)
      _ = output.send(written { $0.appendError(error, in: .varlink) }, to: descriptor)
      return
    }
    guard
      let session = try? Session(
        owning: descriptor, userID: peer.userID, server: self, refusal: refusal)
    else { return }
    add(session)
    updateAudience()
  }

  /// The bound that one more connection of a user would exceed.
  func limitReached(by userID: UInt32) -> Int? {
    if sessions.count - refused >= limits.maxConnections { return limits.maxConnections }
    let ofUser = sessionsPerUser[userID] ?? 0
    return ofUser >= limits.maxConnectionsPerUser ? limits.maxConnectionsPerUser : nil
  }

  /// Another connection is there.
  func add(_ session: Session) {
    sessions[ObjectIdentifier(session)] = session
    deadlineDidMove(of: session)
    if session.isAdmitted { sessionsPerUser[session.userID, default: 0] += 1 } else { refused += 1 }
  }

  /// Reads once into the buffer that all sessions share.
  ///
  /// - Returns: the bytes read, 0 at the end, −errno where it failed.
  func receive(
    from descriptor: borrowing FileDescriptor, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Int {
    let count = recv(
      descriptor.number, receiveBuffer.baseAddress, receiveBuffer.count, Int32(MSG_DONTWAIT))
    if count < 0 { return -Int(errno) }
    if count > 0 { body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(receiveBuffer)[..<count])) }
    return count
  }

  /// A message in the buffer that all replies share; to be sent before the next one is written.
  func written(_ write: (inout JSONBuffer) -> Void) -> [UInt8] {
    scratch.removeAll()
    write(&scratch)
    return scratch.bytes
  }

  /// The session has opened a stream.
  func streamDidOpen(_ session: Session) {
    group(session)
    if session.scene != nil { sceneSessions.append(session) }
    session.stay()
    updateAudience()
  }

  /// The session has opened a raw stream.
  func rawStreamDidOpen(_ session: Session) {
    session.stayNoLonger()
    rawStreams.append(session)
    updateAudience()
  }

  /// The session holds reduced motion on.
  func holdDidBegin(_ session: Session) {
    session.beginHolding()
    holds += 1
    session.stay()
    delegate?.reducedMotionHoldsDidChange(holds)
  }

  /// Ends the stream, the page or the hold of a session that is about to go.
  func release(_ session: Session) {
    session.stayNoLonger()
    if session.subscription != nil {
      ungroup(session)
      session.subscription = nil
      if session.scene != nil {
        session.scene = nil
        sceneSessions.removeAll { $0 === session }
      }
      updateAudience()
    }
    if session.rawStream != nil {
      session.rawStream = nil
      rawStreams.removeAll { $0 === session }
      updateAudience()
    }
    if session.page != nil {
      pageDidClose(session)
      updateAudience()
    }
    cancelCalibration(of: session)
    if session.isHolding {
      session.endHolding()
      holds -= 1
      delegate?.reducedMotionHoldsDidChange(holds)
    }
  }

  /// The session is to be dropped by `dropFinished()`.
  func sessionDidFinish(_ session: Session) { finished.append(session) }

  /// Closes sessions that are finished. Called at the end of handlers, when none of them is in use.
  func dropFinished() {
    while let session = finished.popLast() {
      session.sayGoodbye()
      session.close()
      deadlineDidMove(of: session)
      guard sessions.removeValue(forKey: ObjectIdentifier(session)) != nil else { continue }
      if session.isAdmitted {
        let left = (sessionsPerUser[session.userID] ?? 1) - 1
        sessionsPerUser[session.userID] = left > 0 ? left : nil
      } else {
        refused -= 1
      }
      release(session)
      updateAudience()
      resumeAccepting()
    }
  }
}
