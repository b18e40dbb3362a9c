import CLinux
import EventLoop
import Glibc
import Linux
import Motion
import Testing

@testable import Server
@testable import Wire

/// The daemon's part, written down.
final class FakeDelegate: ServerDelegate {
  unowned let server: Server
  var presentEvent = MotionEvent()
  /// What was asked of it, in order.
  var log: [String] = []
  /// Runs when the audience has changed.
  var onAudience: () -> Void = {}

  init(server: Server) { self.server = server }

  func makeStatus() -> Status {
    var status = Status(backend: "demo")
    status.subscribers = server.audience.subscribers
    status.connections = server.audience.connections
    return status
  }

  var presentTilt = Tilt.neutral

  var header: RawHeader? = RawHeader()
  /// How often the header was asked for.
  var headersAsked = 0

  var rawHeader: RawHeader? {
    headersAsked += 1
    return header
  }

  func restartStream() {
    log.append("restart")
    server.rawStreamDidRestart()
  }

  func audienceDidChange() { onAudience() }

  func recenter() { log.append("recenter") }

  func pan(x: Double, y: Double) { log.append("pan \(x) \(y)") }

  func setReducedMotion(_ enabled: Bool?) {
    log.append("reduced " + (enabled.map { "\($0)" } ?? "nil"))
  }

  /// What a calibration cannot begin for.
  var refusal: ServiceError?
  var calibrations: [Int] = []

  func beginCalibration(_ id: Int, nanoseconds: Int64?) throws(ServiceError) {
    log.append("calibrate " + (nanoseconds.map { "\($0)" } ?? "nil"))
    if let refusal { throw refusal }
    calibrations.append(id)
  }

  func cancelCalibration(_ id: Int) { log.append("cancel \(id)") }

  func reducedMotionHoldsDidChange(_ holds: Int) { log.append("holds \(holds)") }
}

/// A server with a listener of its own, turned by hand: nothing happens but in `turn()`.
final class Harness {
  let loop: EventLoop
  let server: Server
  let delegate: FakeDelegate
  private var address = sockaddr_un()
  private var addressSize = socklen_t(MemoryLayout<sockaddr_un>.size)

  init(limits: ServerLimits = ServerLimits()) throws {
    loop = try EventLoop()
    server = try Server(loop: loop, limits: limits, access: AccessPolicy())
    delegate = FakeDelegate(server: server)
    server.delegate = delegate
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    address.sun_family = sa_family_t(AF_UNIX)
    // Two bytes long: the kernel chooses an abstract name.
    try withAddress { pointer, _ in
      try checked("bind") { bind(listener, pointer, socklen_t(MemoryLayout<sa_family_t>.size)) }
      try checked("listen") { listen(listener, 128) }
      try checked("ask for the name") { getsockname(listener, pointer, &addressSize) }
    }
    try server.listen(owning: FileDescriptor(owning: listener))
  }

  private func withAddress(_ body: (UnsafeMutablePointer<sockaddr>, socklen_t) throws -> Void) rethrows {
    let size = addressSize
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { try body($0, size) }
    }
  }

  /// A client; its connection is accepted.
  func connect(lines: Bool = false) throws -> TestClient {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let client = TestClient(owning: number, form: lines ? .jsonLines : .varlink)
    try withAddress { pointer, size in
      _ = try checked("connect") { Glibc.connect(number, pointer, size) }
    }
    try turn()
    return client
  }

  /// Runs every handler that is due now.
  func turn() throws {
    var turns = 0
    while try loop.turn() {
      turns += 1
      try #require(turns < 10_000, "the loop spins")
    }
  }

  /// Turns until `condition`, with the clock running; for what waits for a timer.
  func turn(until condition: () throws -> Bool) throws {
    let end = MonotonicClock.nanoseconds + 60_000_000_000
    while try !condition() {
      try #require(MonotonicClock.nanoseconds < end, "waited 60 s in vain")
      _ = try loop.turn(waitingNanoseconds: 100_000_000)
    }
  }

  /// Sends a call and takes its replies.
  func call(_ client: TestClient, _ method: String, _ parameters: String = "{}", _ flags: String = "") throws
    -> [String]
  {
    client.send(call: method, parameters, flags)
    try turn()
    return client.receive()
  }
}

/// The other end of a connection; never blocks.
final class TestClient {
  private var descriptor: FileDescriptor?
  private let number: Int32
  private let form: MessageForm
  private var buffer: [UInt8] = []
  /// Whether the server has said goodbye.
  private(set) var isClosed = false

  init(owning number: Int32, form: MessageForm) {
    self.number = number
    descriptor = FileDescriptor(owning: number)
    self.form = form
  }

  func hangUp() { descriptor = nil }

  func halfClose() { shutdown(number, Int32(SHUT_WR)) }

  /// - Returns: the bytes that the kernel took.
  @discardableResult
  func send(_ text: String) -> Int {
    let bytes = Array(text.utf8)
    return Glibc.send(number, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
  }

  /// `flags` as in `"more":true`.
  func send(call method: String, _ parameters: String = "{}", _ flags: String = "") {
    let name = method.contains(".") ? method : "org.parallaxd.Motion." + method
    let rest = flags.isEmpty ? "" : "," + flags
    let end = form == .varlink ? "\0" : "\n"
    send("{\"method\":\"\(name)\",\"parameters\":\(parameters)\(rest)}\(end)")
  }

  /// The complete messages that have come, without their ends; at most `limit`.
  func receive(limit: Int = .max) -> [String] {
    while limit == .max || buffer.count(where: { $0 == form.terminator }) < limit {
      // Little at a time where it counts how much is left in the socket.
      var chunk = [UInt8](repeating: 0, count: limit == .max ? 4096 : 32)
      let count = recv(number, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if count == 0 || count < 0 && errno == ECONNRESET { isClosed = true }
      if count <= 0 { break }
      buffer += chunk[..<count]
    }
    var messages: [String] = []
    while messages.count < limit, let end = buffer.firstIndex(of: form.terminator) {
      messages.append(String(decoding: buffer[..<end], as: UTF8.self))
      buffer.removeSubrange(...end)
    }
    return messages
  }

  /// What has come of one send, at most, and the descriptor that came with it.
  func receiveWithDescriptor() -> (text: String, descriptor: Int32?) {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var descriptor: Int32 = -1
    let count = clinux_receive_with_descriptor(number, &chunk, chunk.count, &descriptor)
    if count == 0 { isClosed = true }
    return (String(decoding: chunk.prefix(max(0, count)), as: UTF8.self), descriptor >= 0 ? descriptor : nil)
  }

  /// The events that have come.
  func events(limit: Int = .max) throws -> [MotionEvent] {
    try receive(limit: limit).map { message in
      let reply = try Reply<MotionEvent>(decoding: Array(message.utf8))
      #expect(reply.continues)
      return reply.parameters
    }
  }
}

/// An event that differs from every other by its sequence.
func event(_ sequence: Int64) -> MotionEvent {
  var event = MotionEvent()
  event.sequence = sequence
  event.timestampNanoseconds = sequence * 10_000_000
  event.x = Double(sequence)
  event.state = .running
  return event
}
