import CLinux
import Glibc
import Linux

/// What the kernel did not take yet of what must be sent; empty but for slow readers.
struct OutputQueue {
  enum Progress: Equatable {
    /// Everything is on its way.
    case done
    /// The rest waits until the descriptor is writable.
    case blocked
    /// The other end is gone.
    case broken
  }

  private var bytes: [UInt8] = []
  private var sent = 0

  var isEmpty: Bool { bytes.isEmpty }

  /// Forgets what waits.
  mutating func removeAll() {
    bytes = []
    sent = 0
  }

  /// Sends a whole message, after what waits already; keeps what the kernel does not take.
  mutating func send(_ message: [UInt8], to descriptor: borrowing FileDescriptor) -> Progress {
    guard isEmpty else {
      bytes += message
      return .blocked
    }
    let count = Self.send(message, from: 0, to: descriptor)
    guard count >= 0 else { return .broken }
    if count == message.count { return .done }
    bytes = Array(message[count...])
    return .blocked
  }

  /// Sends a message whole or in part, or not at all; nothing must wait.
  ///
  /// - Returns: nil where the kernel takes nothing now.
  mutating func sendUnlessBlocked(_ message: [UInt8], to descriptor: borrowing FileDescriptor) -> Progress? {
    let count = Self.send(message, from: 0, to: descriptor)
    if count == 0 { return nil }
    guard count > 0 else { return .broken }
    if count == message.count { return .done }
    bytes = Array(message[count...])
    return .blocked
  }

  /// Goes on sending what waits.
  ///
  /// - Returns: how it stands, and whether the kernel took anything.
  mutating func flush(to descriptor: borrowing FileDescriptor) -> (progress: Progress, tookSome: Bool) {
    guard !isEmpty else { return (.done, false) }
    let count = Self.send(bytes, from: sent, to: descriptor)
    guard count >= 0 else { return (.broken, false) }
    sent += count
    guard sent == bytes.count else { return (.blocked, count > 0) }
    removeAll()
    return (.done, count > 0)
  }

  /// `send(2)`: the bytes taken, 0 where it would block, −1 where the other end is gone.
  private static func send(
    _ message: [UInt8], from start: Int, to descriptor: borrowing FileDescriptor
  ) -> Int {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    return message.withUnsafeBytes { bytes in
      while true {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        let count = Glibc.send(descriptor.number, rest.baseAddress, rest.count, flags)
        if count >= 0 { return count }
        switch errno {
        case EINTR: continue
        // ENOBUFS and ENOMEM: the kernel is short of memory for now.
        case EAGAIN, ENOBUFS, ENOMEM: return 0
        default: return -1
        }
      }
    }
  }
}
