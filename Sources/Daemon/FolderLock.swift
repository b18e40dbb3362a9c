import CLinux
import Glibc
import Linux

/// Keeps a second daemon from a socket's folder while a first looks what is in the way there, takes it away, binds and
/// listens: between any two of these a live socket looks like a dead one.
enum FolderLock {
  /// How often, and how many microseconds apart, a lock that somebody else holds is tried: 2 s in all.
  private static let attempts = 200
  private static let pause: UInt32 = 10_000

  /// Calls `body` as soon as no other daemon is at work in the folder.
  ///
  /// Anybody who may look into a folder can lock it: who holds the lock for longer than a start takes is no daemon, and
  /// does not keep this one from starting.
  static func whileHeld<Result: ~Copyable>(
    in path: String, _ body: () throws(ListenError) -> Result
  ) throws(ListenError) -> Result {
    guard let folder = try? FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY) else {
      return try body()
    }
    for _ in 0..<attempts {
      if flock(folder.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { break }
      usleep(pause)
    }
    defer { flock(folder.number, LOCK_UN) }
    return try body()
  }
}
