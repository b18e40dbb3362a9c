import CLinux
import EventLoop
import Glibc
import Linux

/// The way to the service manager: datagrams in the form of sd_notify(3), to where NOTIFY_SOCKET says.
///
/// Not libsystemd's own call: that waits while the manager's queue is full, and with it everybody whose events go by
/// this loop. What finds no room here waits in order, and goes out when the manager reads again. Lives on the loop's
/// thread.
final class NotifySocket {
  /// A message that found no room, and the descriptor that goes with it.
  private final class Waiting {
    let text: String
    let descriptor: Int32?

    /// - Parameter descriptor: this object's own from now on.
    init(_ text: String, owning descriptor: Int32?) {
      self.text = text
      self.descriptor = descriptor
    }

    deinit { if let descriptor { close(descriptor) } }
  }

  private let socket: FileDescriptor
  private var room: IOSource?
  private var waiting: [Waiting] = []

  /// nil where nobody listens.
  init?(_ loop: EventLoop, at path: String) {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = Glibc.socket(AF_UNIX, kind, 0)
    guard number >= 0 else { return nil }
    socket = FileDescriptor(owning: number)
    guard var address = UnixAddress(notifying: path), address.withPointer({ connect(number, $0, $1) }) == 0
    else {
      return nil
    }
    room = try? IOSource(loop, descriptor: number, events: []) { [unowned self] events in
      if events.contains(.writable) { flush() }
    }
  }

  /// Tells the manager something, now or as soon as it reads.
  ///
  /// - Parameter descriptor: it gets a copy of it.
  func send(_ text: String, with descriptor: Int32? = nil) {
    // Of two texts of the status only the later one matters.
    if let last = waiting.last, last.text.hasPrefix(Self.status), text.hasPrefix(Self.status) {
      waiting.removeLast()
    }
    if waiting.isEmpty, Self.send(text, descriptor, to: socket) { return }
    waiting.append(Waiting(text, owning: descriptor.map(clinux_duplicate)))
    room?.events = .writable
  }

  private static let status = "STATUS="

  private func flush() {
    var count = 0
    while count < waiting.count, Self.send(waiting[count].text, waiting[count].descriptor, to: socket) {
      count += 1
    }
    waiting.removeFirst(count)
    if waiting.isEmpty { room?.events = [] }
  }

  /// - Returns: false where there is no room just now; what fails otherwise cannot be mended by waiting.
  private static func send(_ text: String, _ descriptor: Int32?, to socket: borrowing FileDescriptor) -> Bool
  {
    var text = text
    let result = text.withUTF8 { bytes in
      if let descriptor {
        clinux_send_with_descriptor(socket.number, bytes.baseAddress, bytes.count, descriptor)
      } else {
        Glibc.send(socket.number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
    }
    return result >= 0 || (errno != EAGAIN && errno != ENOBUFS)
  }
}
