import CLinux
import EventLoop
import Glibc
import Linux

/// A listening socket and its place in the loop.
final class Listener {
  /// Connections taken in one wake-up: the sensor comes first.
  private static let maxPerWakeUp = 32

  private let descriptor: FileDescriptor
  private let accept: (consuming FileDescriptor) -> Void
  /// Told when the machine has no more descriptors or memory; new connections wait until `resume()`.
  private let didStall: () -> Void
  private var source: IOSource?

  init(
    owning descriptor: consuming FileDescriptor, loop: EventLoop,
    accept: @escaping (consuming FileDescriptor) -> Void, didStall: @escaping () -> Void
  ) throws(SystemError) {
    self.descriptor = descriptor
    self.accept = accept
    self.didStall = didStall
    let number = self.descriptor.number
    let flags = try checked("read a listener's flags") { clinux_fcntl(number, F_GETFL, 0) }
    try checked("make a listener non-blocking") { clinux_fcntl(number, F_SETFL, flags | O_NONBLOCK) }
    source = try IOSource(loop, descriptor: number, events: .readable) {
      [unowned self] _ in acceptSome()
    }
  }

  /// Takes connections again.
  func resume() { source?.events = .readable }

  private func acceptSome() {
    for _ in 0..<Self.maxPerWakeUp {
      let number = clinux_accept(descriptor.number)
      if number >= 0 {
        accept(FileDescriptor(owning: number))
        continue
      }
      switch errno {
      case EAGAIN: return
      case EINTR, ECONNABORTED: continue
      default:
        // EMFILE, ENFILE, ENOMEM …: the connection stays in the queue and would wake us for ever.
        source?.events = []
        didStall()
        return
      }
    }
  }
}
