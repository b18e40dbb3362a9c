import Glibc

/// `sockaddr_un` of a path: where a Unix socket is bound or looked for.
package struct UnixAddress {
  /// Bytes of the longest path; `sun_path` keeps one for the end.
  package static let maximumLength = 107

  private var address = sockaddr_un()
  private var length = socklen_t(MemoryLayout<sockaddr_un>.size)

  /// nil: the path is empty, too long, or has a NUL in it.
  package init?(_ path: String) {
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count <= Self.maximumLength, !bytes.contains(0) else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  /// Where a service manager listens, as NOTIFY_SOCKET says it: a path, or a name after an @ (unix(7): abstract), which
  /// is as long as it is.
  package init?(notifying text: String) {
    guard text.hasPrefix("@") else {
      self.init(text)
      return
    }
    self.init(text)
    address.sun_path.0 = 0
    length = socklen_t(MemoryLayout<sa_family_t>.size + text.utf8.count)
  }

  /// Lends the address to a system call.
  package mutating func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result
  {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, length)
      }
    }
  }
}
