import CLinux
import Glibc
import Linux

/// What the kernel did not take yet of what must be sent; empty but for slow readers.
struct OutputQueue: ~Copyable {
  /// How sending stands.
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
  /// Goes with the byte at `attachedAt`, exactly once; nil: none, or on its way.
  private var attached: FileDescriptor?
  private var attachedAt = 0

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether a descriptor waits too.
  var carriesDescriptor: Bool { attached != nil }

  /// What waits.
  var pending: ArraySlice<UInt8> { bytes[sent...] }

  init(pending: ArraySlice<UInt8> = []) { bytes = Array(pending) }

  /// Forgets what waits.
  mutating func removeAll() {
    bytes = []
    sent = 0
    attached = nil
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

  /// Sends a whole message whose first byte brings `descriptor` along (SCM_RIGHTS), after what waits already.
  /// No other descriptor may wait: one call is answered after the reply to the last has gone out.
  mutating func send(
    _ message: [UInt8], carrying descriptor: consuming FileDescriptor, to socket: borrowing FileDescriptor
  ) -> Progress {
    attached = consume descriptor
    attachedAt = bytes.count
    bytes += message
    return flush(to: socket).progress
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

  /// Keeps the rest of a message whose beginning has been sent; nothing must wait.
  mutating func keep(_ rest: ArraySlice<UInt8>) { bytes = Array(rest) }

  /// Goes on sending what waits.
  ///
  /// - Returns: how it stands, and whether the kernel took anything.
  mutating func flush(to descriptor: borrowing FileDescriptor) -> (progress: Progress, tookSome: Bool) {
    var tookSome = false
    while !isEmpty {
      // What brings a descriptor begins a message of its own for the kernel.
      let carries = attached != nil && sent == attachedAt
      let end = attached != nil && sent < attachedAt ? attachedAt : bytes.count
      let count = Self.send(
        bytes, from: sent, before: end, with: carries ? attached?.number : nil, to: descriptor)
      guard count >= 0 else { return (.broken, tookSome) }
      if count == 0 { return (.blocked, tookSome) }
      tookSome = true
      if carries { attached = nil }
      sent += count
      if sent == bytes.count { removeAll() } else if sent < end { return (.blocked, true) }
    }
    return (.done, tookSome)
  }

  /// `send(2)`: the bytes taken, 0 where it would block, −1 where the other end is gone.
  ///
  /// - Parameter attached: the number of a descriptor that goes along.
  private static func send(
    _ message: [UInt8], from start: Int, before end: Int? = nil, with attached: Int32? = nil,
    to descriptor: borrowing FileDescriptor
  ) -> Int {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    return message.withUnsafeBytes { bytes in
      while true {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<(end ?? bytes.count)])
        let count =
          if let attached {
            clinux_send_with_descriptor(descriptor.number, rest.baseAddress, rest.count, attached)
          } else {
            Glibc.send(descriptor.number, rest.baseAddress, rest.count, flags)
          }
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
