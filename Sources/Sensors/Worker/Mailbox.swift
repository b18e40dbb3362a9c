import CLinux
import Glibc
import Linux
import Synchronization

/// Messages from one thread to another, with a descriptor that is readable while some may wait.
///
/// Posting never waits. The mutex is taken only where there are messages: a look into an empty box, and a
/// bare signal, take no lock.
final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Guarded<[Message]>([])
  private let count = Atomic<Int>(0)
  private let event: FileDescriptor

  /// - Parameter waits: whether `clearSignal` waits for a signal; else the descriptor is for a loop.
  init(waits: Bool) throws(SystemError) {
    let flags = EFD_CLOEXEC | (waits ? 0 : EFD_NONBLOCK)
    event = FileDescriptor(owning: try checked("make an eventfd") { eventfd(0, Int32(flags)) })
  }

  /// To be watched by the taker.
  var descriptor: Int32 { event.number }

  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    count.add(1, ordering: .releasing)
    signal()
  }

  /// Makes the descriptor readable without a message.
  func signal() {
    var one: UInt64 = 1
    // Fails only where the counter is full, and then it is readable anyway.
    _ = write(event.number, &one, MemoryLayout<UInt64>.size)
  }

  /// Takes the signal: the descriptor is not readable until the next. Waits for one where the box may.
  func clearSignal() {
    var signals: UInt64 = 0
    _ = read(event.number, &signals, MemoryLayout<UInt64>.size)
  }

  /// The oldest message; nil where there is none.
  func take() -> Message? {
    guard !isEmpty else { return nil }
    count.subtract(1, ordering: .acquiringAndReleasing)
    return messages.withLock { $0.removeFirst() }
  }
}
