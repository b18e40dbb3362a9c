import CLinux
import Glibc
import Linux

/// Signals that a command takes as messages instead of being ended by them.
struct Signals: ~Copyable {
  /// Readable when a signal has come.
  let descriptor: FileDescriptor

  /// Blocks `signals` for the whole program, which has one thread, and collects them here.
  init(_ signals: [Int32]) throws(CommandError) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    do {
      descriptor = FileDescriptor(
        owning: try checked("signalfd") {
          signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        })
    } catch {
      throw CommandError(ExitCode.failure, "\(error)")
    }
  }

  /// The next signal that has come; nil: none.
  func next() -> Int32? {
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    return read(descriptor.number, &information, size) == size ? Int32(information.ssi_signo) : nil
  }
}
