import CLinux
import Wire

/// The streams with the same options, and messages that end alike.
///
/// Most of them have been sent exactly the same events: those are *in step*. One account of what was sent is
/// kept for all of them, what they are due is decided once, and its bytes go to one descriptor after the other.
/// Who has just come, or did not read for a while, is a *straggler* with an account of its own until that says
/// the same as the common one. How long an event takes grows with the subscribers only by one send(2) each.
///
/// Sessions are kept here until they are removed.
final class StreamGroup {
  /// What the streams of one group have in common; how much may wait in the socket is not part of it.
  struct Kind: Equatable {
    let options: SubscribeOptions
    let form: MessageForm

    init(_ options: SubscribeOptions, _ form: MessageForm) {
      var common = options
      common.backlog = 0
      self.options = common
      self.form = form
    }
  }

  /// Where a session stands in its group.
  struct Place {
    let group: StreamGroup
    fileprivate var isInStep: Bool
    fileprivate var index: Int
  }

  let kind: Kind
  /// Whether it is one session's alone, whose scene nobody else has.
  let isSingle: Bool
  /// Whether its events go by the tilt: that was asked for, or a scene has effects.
  let seesTilt: Bool
  private let encoding: EventEncodings.Kind
  /// The account of all who are in step.
  private var common: Subscription
  private var inStep: [Session] = []
  /// Theirs, in the same order, and then room for those of the stragglers.
  private var descriptors: [Int32] = []
  private var stragglers: [Session] = []

  /// - Parameter scene: of the one session that is to be in it.
  init(_ kind: Kind, scene: OpenScene? = nil) {
    self.kind = kind
    isSingle = scene != nil
    seesTilt = kind.options.wantsTilt || scene?.hasValues == true
    encoding = EventEncodings.Kind(kind.options, kind.form)
    common = Subscription(kind.options)
  }

  var count: Int { inStep.count + stragglers.count }

  /// Those who have an account of their own.
  var stragglerCount: Int { stragglers.count }

  /// For loops that change the group.
  var sessions: [Session] { inStep + stragglers }

  /// A straggler at first, whatever it was before.
  func add(_ session: Session) {
    session.place = Place(group: self, isInStep: false, index: stragglers.count)
    stragglers.append(session)
    makeRoom()
  }

  /// Room for all in either place, so that going from one to the other allocates nothing.
  private func makeRoom() {
    if descriptors.count < count { descriptors.append(-1) }
    if stragglers.capacity < count { stragglers.reserveCapacity(2 * count) }
    if inStep.capacity < count { inStep.reserveCapacity(2 * count) }
  }

  /// The session has its own account again.
  func remove(_ session: Session) {
    guard let place = session.place, place.group === self else { return }
    if place.isInStep {
      session.subscription?.adopt(common)
      descriptors[place.index] = descriptors[inStep.count - 1]
      Self.remove(at: place.index, of: &inStep)
    } else {
      Self.remove(at: place.index, of: &stragglers)
    }
    session.place = nil
  }

  /// Ends the group: nothing is kept any more.
  func dissolve() {
    for session in sessions { session.place = nil }
    inStep = []
    descriptors = []
    stragglers = []
  }

  /// The last one takes the place of the one who goes.
  private static func remove(at index: Int, of sessions: inout [Session]) {
    sessions.swapAt(index, sessions.count - 1)
    sessions.removeLast()
    if index < sessions.count { sessions[index].place?.index = index }
  }

  // MARK: Events

  /// Takes an event to all of the group who are due one. Allocates nothing while they read.
  func offer(_ event: MotionEvent, from server: Server) {
    // Stragglers first: one who falls behind now has had this event. By index: an unoptimised iterator
    // allocates, and the tests that count run on such a build too.
    var index = 0
    while index < stragglers.count {
      stragglers[index].offer(event)
      index += 1
    }
    if !inStep.isEmpty { offerInStep(event, server) }
    if !stragglers.isEmpty { takeIn() }
  }

  private func offerInStep(_ event: MotionEvent, _ server: Server) {
    let before = common
    let view = common.view(of: event, reducedMotionScale: server.reducedMotionScale)
    // Nothing is held by those in step, so nothing can be lost.
    guard let due = common.offer(view, lost: &server.counters.dropped) else { return }
    common.didSend(due)
    let bytes =
      due.gap == event.gap
      ? server.encodings.shared(due, encoding, in: kind.form)
      : server.encodings.single(due, nil, in: kind.form)
    var next = 0
    while next < inStep.count {
      var taken = 0
      let first = next
      let count = inStep.count
      next = descriptors.withUnsafeBufferPointer { all in
        bytes.withUnsafeBytes {
          clinux_send_to_each(all.baseAddress, first, count, $0.baseAddress, $0.count, &taken)
        }
      }
      server.counters.eventsSent += Int64(next - first)
      guard next < inStep.count else { break }
      // Another one stands at `next` then.
      fallBehind(inStep[next], before, taken, of: bytes, event)
    }
  }

  /// One that was in step did not take all of an event: it goes on from `before`, on its own.
  private func fallBehind(
    _ session: Session, _ before: Subscription, _ taken: Int, of bytes: [UInt8], _ event: MotionEvent
  ) {
    remove(session)
    session.subscription?.adopt(before)
    add(session)
    if taken > 0 { session.didSend(taken, of: bytes, for: event) } else { session.offer(event) }
  }

  /// Those stragglers who have been sent what all others have.
  private func takeIn() {
    var index = stragglers.count
    while index > 0 {
      index -= 1
      let session = stragglers[index]
      guard session.mayBeInStep, let own = session.subscription else { continue }
      if inStep.isEmpty { common.adopt(own) } else if !own.isInStep(with: common) { continue }
      Self.remove(at: index, of: &stragglers)
      session.place = Place(group: self, isInStep: true, index: inStep.count)
      descriptors[inStep.count] = session.descriptor.number
      inStep.append(session)
    }
  }
}
