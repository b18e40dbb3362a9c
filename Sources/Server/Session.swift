import EventLoop
import Glibc
import Linux
import Wire

/// One connection: what came in and waits, what must go out, and the stream that may be open on it.
///
/// Everything runs on the loop's thread. A session never closes itself in mid-handler: it marks itself
/// `isFinished`, and the server drops it when the handler is done.
final class Session {
  let descriptor: FileDescriptor
  /// Of the process at the other end.
  let userID: UInt32
  unowned let server: Server

  /// nil after the session has been closed.
  var source: IOSource?
  var input = MessageAccumulator()
  var output = OutputQueue()
  /// The stream that is open; nothing else is processed while it is.
  var subscription: Subscription?
  /// The scene that comes with the stream's events.
  var scene: OpenScene?
  /// Where it stands among streams like it. In step with others it leaves its account to them: `subscription` then
  /// holds nothing but the options.
  var place: StreamGroup.Place?
  /// The same, of raw scans.
  var rawStream: RawStream?
  /// The page that this connection has open; calls on it go on.
  var page: Pages.Kind?
  /// The charge of unread events from which on no event is sent; nil where the kernel stops by itself.
  var unreadLimit: Int?
  /// The calibration that is waited for; nothing else is processed meanwhile.
  var calibration: Calibration?
  /// Whether this connection holds reduced motion on; nothing else is processed while it does.
  private(set) var isHolding = false

  /// One connection too many: the bound that was hit. Its first call is answered with that, and it is closed.
  let refusal: Int?
  /// The other end sends no more; it may well read on.
  var inputEnded = false
  /// The other end is gone for good. What it sent is still processed, nothing is sent.
  private var isPeerGone = false
  /// The last reply has been made; what comes in is thrown away.
  private(set) var isClosing = false
  /// To be dropped.
  private(set) var isFinished = false
  var discarded = 0
  /// Where the handover file has this connection; nil where it does not outlive the daemon.
  var slot: Int?
  /// Whether the service manager has its descriptor too.
  var isStored = false
  /// Whether what is in the slot has been left behind.
  var isChanging = false
  /// What the slot says that the subscriber has missed.
  var notedLost: Int64 = 0

  /// Kept by the server: whether `deadline` is one.
  var isCountedAsWaiting = false
  /// CLOCK_MONOTONIC nanoseconds; `Int64.max` where nothing is waited for.
  var messageDeadline = Int64.max
  var outputDeadline = Int64.max
  /// What the other end had left unread when `outputDeadline` was set.
  var unreadAtDeadline = 0
  /// `input.completed` when `messageDeadline` was set.
  var completedAtDeadline = 0

  init(
    owning descriptor: consuming FileDescriptor, userID: UInt32, server: Server, refusal: Int? = nil
  ) throws(SystemError) {
    self.descriptor = descriptor
    self.userID = userID
    self.server = server
    self.refusal = refusal
    do throws(SystemError) {
      source = try IOSource(
        server.loop, descriptor: self.descriptor.number, events: .readable
      ) { [unowned self] events in handle(events) }
    } catch {
      // Where the service manager has it open too, closing it alone would tell nobody.
      shutdown(self.descriptor.number, Int32(SHUT_RDWR))
      throw error
    }
    if refusal != nil {
      messageDeadline = MonotonicClock.nanoseconds + server.limits.messageTimeoutNanoseconds
    }
  }

  /// Counted against the limits.
  var isAdmitted: Bool { refusal == nil }

  /// How this connection's messages end.
  var form: MessageForm { input.form ?? .varlink }

  /// Whether calls wait for the end of something: of a calibration, or of what never ends by itself.
  var isOccupied: Bool { subscription != nil || rawStream != nil || isHolding || calibration != nil }

  /// When the clock next matters to this session.
  var deadline: Int64 { min(messageDeadline, outputDeadline) }

  /// Takes the descriptor out of the loop; it closes with the session itself.
  func close() {
    source?.cancel()
    source = nil
    isFinished = true
    messageDeadline = .max
    outputDeadline = .max
  }

  /// To be dropped as soon as the present handler is done.
  func finish() {
    guard !isFinished else { return }
    isFinished = true
    server.sessionDidFinish(self)
  }

  // MARK: Readiness

  private func handle(_ events: IOSource.Events) {
    if events.contains(.hangUp) || events.contains(.error) {
      handleHangUp()
    } else {
      if events.contains(.writable) { flush() }
      if events.contains(.readable) { read() }
      process()
      settle()
    }
    endChange()
    server.dropFinished()
  }

  /// The other end is gone. Calls that it sent before are still carried out: a `oneway` call and a hang-up
  /// right after it are no mistake.
  private func handleHangUp() {
    loseThePeer()
    while !isFinished, !isOccupied, !isClosing {
      if inputEnded { break }
      guard read() else { break }
      process()
    }
    finish()
  }

  private func loseThePeer() {
    isPeerGone = true
    output.removeAll()
  }

  /// Takes what has come in, once; the loop comes back for more.
  ///
  /// - Returns: whether there was anything, the end included.
  @discardableResult
  private func read() -> Bool {
    guard !inputEnded, !isFinished else { return false }
    beginChange()
    let count = server.receive(from: descriptor) { bytes in
      if isClosing {
        discarded += bytes.count
      } else {
        input.append(bytes, limits: server.limits.wire)
      }
    }
    switch count {
    case 0:
      inputEnded = true
      if !isClosing { input.finish() }
    case ..<0:
      guard count == -EAGAIN || count == -EINTR else {
        loseThePeer()
        inputEnded = true
        break
      }
      return false
    default: break
    }
    return true
  }

  /// Answers what waits, in its order, one reply after the other has gone out.
  func process() {
    while !isOccupied, !isClosing, !isFinished, output.isEmpty {
      if let refusal {
        guard input.waiting > 0 || input.violation != nil || inputEnded else { return }
        return end(with: .tooManySubscribers(limit: refusal))
      }
      guard let decoded = input.withNext({ message in Session.decode(message) }) else { break }
      switch decoded {
      case .success(let call): server.answer(call, of: self)
      case .failure(let error): return end(with: error)
      }
    }
    guard !isClosing, !isFinished else { return }
    // A stream does not shield what comes behind it; calls that can still be answered go first.
    if let violation = input.violation, isOccupied || input.waiting == 0 {
      end(with: ServiceError(violation))
    } else if inputEnded, !isOccupied, page == nil, input.waiting == 0, output.isEmpty {
      // It may well read on: a stream, a page, and what holds reduced motion end with a hang-up only.
      finish()
    }
  }

  private static func decode(_ message: UnsafeRawBufferPointer) -> Result<Call, ServiceError> {
    do throws(ServiceError) {
      return .success(try Call(decoding: message))
    } catch {
      return .failure(error)
    }
  }

  // MARK: Sending

  /// Sends a whole message of the server's scratch buffer or any other.
  func send(_ message: [UInt8]) {
    guard !isPeerGone, !isFinished else { return }
    if output.send(message, to: descriptor) == .broken { loseThePeer() }
  }

  /// Sends a whole message whose first byte brings a descriptor along.
  func send(_ message: [UInt8], carrying attached: consuming FileDescriptor) {
    guard !isPeerGone, !isFinished else { return }
    if output.send(message, carrying: attached, to: descriptor) == .broken { loseThePeer() }
  }

  /// Replies with an error and closes the connection once that has gone out.
  func end(with error: ServiceError) {
    server.release(self)
    isClosing = true
    send(server.written { $0.appendError(error, in: form) })
    if isPeerGone { finish() } else if output.isEmpty { beginLingering() }
  }

  private func flush() {
    if !output.isEmpty { beginChange() }
    let (progress, tookSome) = output.flush(to: descriptor)
    if tookSome { outputDeadline = .max }
    switch progress {
    case .broken: finish()
    case .blocked: break
    case .done:
      if isClosing { return beginLingering() }
      sendHeldEvent()
      rawStream?.isBlocked = false
      sendRaw()
    }
  }

  /// Says goodbye and reads on for a moment: closing with unread input would take the error away from the
  /// one it is for.
  private func beginLingering() {
    if inputEnded { return finish() }
    shutdown(descriptor.number, Int32(SHUT_WR))
    outputDeadline = MonotonicClock.nanoseconds + Server.lingerNanoseconds
  }

  // MARK: Holds

  func beginHolding() { isHolding = true }

  func endHolding() { isHolding = false }
}
