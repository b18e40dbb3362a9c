import CLinux
import Glibc
import Linux

/// A blocking connection to the daemon: calls go out, NUL-ended messages come in, all with poll(2).
///
/// What comes is not trusted: a message has a bound.
struct Connection: ~Copyable {
  /// Bytes of the longest message that is taken from the daemon.
  static let longestMessage = 1 << 20
  /// Nanoseconds that a daemon may take to take a connection or a call.
  static let patience: Int64 = 10_000_000_000

  /// For messages to people.
  let path: String
  private let socket: FileDescriptor
  /// Received and not yet taken; `scanned` bytes of it have no end in them.
  private var received: [UInt8] = []
  private var scanned = 0
  /// What came with a message (SCM_RIGHTS) and was not taken yet; only the last is kept.
  private var attached: FileDescriptor?

  /// Connects, or says why not; waits at most so many nanoseconds for a busy daemon.
  init(path: String, patience: Int64 = Self.patience) throws(SystemError) {
    socket = try Self.connectedSocket(path, patience)
    self.path = path
  }

  private static func connectedSocket(_ path: String, _ patience: Int64) throws(SystemError) -> FileDescriptor
  {
    let operation = "connect to \(path)"
    guard var address = UnixAddress(path) else {
      throw SystemError(code: path.isEmpty ? ENOENT : ENAMETOOLONG, operation: operation)
    }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = FileDescriptor(owning: try checked("make a socket") { Glibc.socket(AF_UNIX, type, 0) })
    // connect(2) waits while the daemon's queue is full, but not for ever.
    var limit = timeval(
      tv_sec: Int(patience / 1_000_000_000), tv_usec: Int(patience % 1_000_000_000 / 1000))
    setsockopt(
      descriptor.number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let number = descriptor.number
    try checked(operation) { address.withPointer { connect(number, $0, $1) } }
    return descriptor
  }

  /// Sends bytes, whole.
  func send(_ bytes: [UInt8]) throws(CommandError) {
    var sent = 0
    while sent < bytes.count {
      do {
        sent += try checked("send to \(path)") {
          bytes.withUnsafeBytes { bytes in
            Glibc.send(
              socket.number, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
          }
        }
      } catch {
        throw CommandError(ExitCode.noDaemon, "the daemon does not take the call: \(error)")
      }
    }
  }

  /// What `next` came back with.
  enum Arrival {
    /// A message without its NUL.
    case message([UInt8])
    /// The deadline has passed.
    case deadline
    /// One of the other descriptors can be read.
    case other(Int32)
  }

  /// Waits for the next message.
  ///
  /// - Parameters:
  ///   - deadline: CLOCK_MONOTONIC, nanoseconds; nil waits without end.
  ///   - others: descriptors whose readability ends the waiting too; they come before messages, so that
  ///     a flood of events cannot hold off Ctrl-C.
  mutating func next(deadline: Int64?, others: [Int32] = []) throws(CommandError) -> Arrival {
    while true {
      let timeout = hasMessage() ? 0 : Self.milliseconds(until: deadline)
      var watched = (others + [socket.number]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      watched.append(pollfd(fd: STDOUT_FILENO, events: 0, revents: 0))
      let ready = poll(&watched, nfds_t(watched.count), timeout)
      guard ready >= 0 || errno == EINTR else {
        throw CommandError(ExitCode.failure, "poll: \(String(cString: strerror(errno)))")
      }
      // Whoever reads our output may go while no event comes.
      if watched[others.count + 1].revents & Int16(POLLERR | POLLHUP) != 0 { throw .outputClosed }
      if let other = watched.prefix(others.count).first(where: { $0.revents != 0 }) {
        return .other(other.fd)
      }
      if let message = takeMessage() { return .message(message) }
      if watched[others.count].revents != 0 {
        try receive()
      } else if let deadline, MonotonicClock.nanoseconds >= deadline {
        return .deadline
      }
    }
  }

  /// Milliseconds for poll(2), rounded up so that it does not spin at the end; −1: no end.
  private static func milliseconds(until deadline: Int64?) -> Int32 {
    guard let deadline else { return -1 }
    let left = max(0, deadline - MonotonicClock.nanoseconds)
    return Int32(min(left / 1_000_000 + 1, 3_600_000))
  }

  /// Looks for an end in what has come since the last look.
  private mutating func hasMessage() -> Bool {
    while scanned < received.count {
      if received[scanned] == 0 { return true }
      scanned += 1
    }
    return false
  }

  private mutating func takeMessage() -> [UInt8]? {
    guard hasMessage() else { return nil }
    let message = Array(received[..<scanned])
    received.removeFirst(scanned + 1)
    scanned = 0
    return message
  }

  /// The descriptor that came with the last messages, if one did.
  mutating func takeDescriptor() -> FileDescriptor? { attached.take() }

  private mutating func receive() throws(CommandError) {
    guard received.count <= Self.longestMessage else {
      throw CommandError(
        ExitCode.failure, "a message from \(path) is longer than \(Self.longestMessage) bytes: no parallaxd")
    }
    var piece = [UInt8](repeating: 0, count: 65_536)
    var count = 0
    var descriptor: Int32 = -1
    do {
      count = try checked("receive from \(path)") {
        piece.withUnsafeMutableBytes {
          clinux_receive_with_descriptor(socket.number, $0.baseAddress, $0.count, &descriptor)
        }
      }
      if descriptor >= 0 { attached = FileDescriptor(owning: descriptor) }
    } catch {
      if error.code == EAGAIN { return }
      if error.code != ECONNRESET { throw CommandError(ExitCode.failure, "\(error)") }
    }
    received += piece[..<count]
    if count == 0 {
      throw CommandError(
        ExitCode.noDaemon, "the daemon at \(path) has hung up: \(SocketSearch.stateHint(path: path))")
    }
  }
}
