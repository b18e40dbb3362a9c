import CLinux
import Glibc
import Linux

/// How much of what was sent a peer has not read yet.
///
/// The kernel charges a Unix socket for each send not by its bytes but by the memory of the buffer that
/// carries them (`truesize`: 768 bytes for an event up to 192 bytes and 1280 for a longer one, on Linux 6), lets
/// a send through while the sum is below SO_SNDBUF, and answers that sum to SIOCOUTQ.
enum SendBuffer {
  /// What one event costs: measured, since it differs between kernels. Of a short event: longer ones, such as
  /// those with rates, may cost more, and then fewer of them fit (5 for 8), never more.
  static let chargePerEvent: Int = measureCharge(bytes: 128) ?? 768

  /// Bytes of kernel memory that unread data takes.
  static func unread(_ descriptor: borrowing FileDescriptor) -> Int {
    var charge: Int32 = 0
    return clinux_ioctl(descriptor.number, UInt(TIOCOUTQ), &charge) == 0 ? Int(charge) : 0
  }

  /// The memory that events may take, in that of short ones: who asks for many that are long gets fewer, so that nobody
  /// who does not read has megabytes written and kept.
  static let mostShortEvents = 1024

  /// Makes the buffer hold `events` events, as far as their memory allows.
  ///
  /// One that is longer than half of the buffer would be taken in pieces, and then a daemon that is killed leaves a
  /// part of it behind: so the buffer is twice as long at least.
  ///
  /// - Parameter ofBytes: how long they are, where that is not as plain ones.
  /// - Returns: nil where the kernel now stops at as many; otherwise (its least buffer is larger) the charge
  ///   from which on nothing more must be sent.
  static func limit(
    _ descriptor: borrowing FileDescriptor, events: Int, ofBytes bytes: ClosedRange<Int>? = nil
  )
    -> Int?
  {
    let charge = bytes.flatMap { measureCharge(bytes: $0.lowerBound) } ?? chargePerEvent
    let wanted = min(events * max(charge, chargePerEvent), mostShortEvents * chargePerEvent)
    let size = max(wanted, 2 * ((bytes?.upperBound ?? 0) + 128))
    var half = Int32(size / 2)  // the kernel doubles it, for its own bookkeeping
    let optionSize = socklen_t(MemoryLayout<Int32>.size)
    _ = setsockopt(descriptor.number, SOL_SOCKET, SO_SNDBUF, &half, optionSize)
    var actual: Int32 = 0
    var actualSize = optionSize
    let result = getsockopt(descriptor.number, SOL_SOCKET, SO_SNDBUF, &actual, &actualSize)
    return result == 0 && Int(actual) <= wanted ? nil : wanted
  }

  private static func measureCharge(bytes: Int) -> Int? {
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0
    else { return nil }
    let near = FileDescriptor(owning: pair[0])
    let far = FileDescriptor(owning: pair[1])
    let message = [UInt8](repeating: 0, count: bytes)
    guard send(near.number, message, bytes, Int32(MSG_DONTWAIT)) == bytes else { return nil }
    let charge = unread(near)
    _ = far.number  // keeps the other end open until here
    return charge > 0 ? charge : nil
  }
}
