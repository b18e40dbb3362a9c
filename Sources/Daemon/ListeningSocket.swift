import CLinux
import CSystemd
import Glibc
import Linux
import Settings
import Wire

/// Where subscribers connect: the socket that systemd hands over, or one that the daemon makes.
struct ListeningSocket: ~Copyable {
  /// Bound and listening.
  private let descriptor: FileDescriptor
  let address: Address

  /// Whose the socket's file is.
  enum Address: Equatable {
    case activated
    /// Ours to remove at the end, as long as it is still this inode.
    case made(path: String, inode: UInt64)
  }

  /// Connections that may wait to be accepted.
  private static let backlog: Int32 = 128

  /// The socket that systemd opened.
  static func activated(owning number: Int32) throws(ListenError) -> ListeningSocket {
    let descriptor = FileDescriptor(owning: number)
    // With Accept=yes it is a connection: nothing could ever be accepted on it.
    guard sd_is_socket_unix(number, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
      throw ListenError(
        "systemd hands over something else than a listening Unix stream socket; the socket unit needs "
          + "ListenStream= with a path, and Accept=no")
    }
    return ListeningSocket(descriptor: descriptor, address: .activated)
  }

  /// Makes a socket at `path`, mode 0660, owned by `group` where one is given. A dead socket in the way is
  /// replaced; a live one, or anything that is no socket, is an error.
  static func bound(to path: String, group: String?) throws(ListenError) -> ListeningSocket {
    guard var address = UnixAddress(path) else {
      throw ListenError("socket path \(path) is too long: at most \(UnixAddress.maximumLength) bytes")
    }
    let folder = folder(of: path)
    try makeFolder(folder)
    return try FolderLock.whileHeld(in: folder) { () throws(ListenError) in
      try clearTheWay(path, &address)
      return try open(at: path, &address, group: group)
    }
  }

  private static func open(
    at path: String, _ address: inout UnixAddress, group: String?
  ) throws(ListenError) -> ListeningSocket {
    do throws(SystemError) {
      let descriptor = try makeSocket()
      let inode = try open(descriptor.number, at: path, &address, group: group)
      return ListeningSocket(descriptor: descriptor, address: .made(path: path, inode: inode))
    } catch {
      throw ListenError("cannot serve: \(error)")
    }
  }

  /// Binds and listens; the inode of the socket's file, which is gone again where this fails.
  private static func open(_ number: Int32, at path: String, _ address: inout UnixAddress, group: String?)
    throws(SystemError) -> UInt64
  {
    // Nobody may connect in the moment between bind and chown.
    let mask = umask(0o177)
    defer { umask(mask) }
    try checked("bind \(path)") { address.withPointer { bind(number, $0, $1) } }
    do throws(SystemError) {
      if let group { try give(path, to: group) }
      try checked("set the mode of \(path)") { chmod(path, 0o660) }
      try checked("listen on \(path)") { listen(number, Self.backlog) }
      var status = stat()
      try checked("look at \(path)") { stat(path, &status) }
      return UInt64(status.st_ino)
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func clearTheWay(_ path: String, _ address: inout UnixAddress) throws(ListenError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw ListenError("\(path) is in the way and is no socket; remove it or use --socket")
    }
    let code: Int32
    do throws(SystemError) {
      code = try probe(&address)
    } catch {
      throw ListenError("cannot serve: \(error)")
    }
    // EAGAIN: somebody listens, and is busy.
    if code == 0 || code == EAGAIN {
      throw ListenError(
        "another daemon serves \(path); stop it (systemctl stop parallaxd.socket parallaxd) or use --socket")
    }
    guard code == ECONNREFUSED else {
      throw ListenError("\(path) is in the way: \(String(cString: strerror(code))); use --socket")
    }
    guard unlink(path) == 0 else {
      throw ListenError("cannot replace the dead socket \(path): \(String(cString: strerror(errno)))")
    }
  }

  /// What connecting comes to: 0, or the errno.
  private static func probe(_ address: inout UnixAddress) throws(SystemError) -> Int32 {
    let socket = try makeSocket()
    let number = socket.number
    return address.withPointer { connect(number, $0, $1) } == 0 ? 0 : errno
  }

  private static func makeSocket() throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try checked("make a socket") {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
      })
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func makeFolder(_ folder: String) throws(ListenError) {
    if mkdir(folder, 0o755) != 0, errno != EEXIST {
      throw ListenError("cannot make the folder \(folder): \(String(cString: strerror(errno)))")
    }
  }

  private static func give(_ path: String, to group: String) throws(SystemError) {
    guard let id = Groups.id(named: group) else {
      throw SystemError(code: ENOENT, operation: "find the group \(group) of server.group")
    }
    try checked("give \(path) to the group \(group)") { chown(path, uid_t.max, id) }
  }
}

extension ListeningSocket {
  /// Gives the descriptor to who accepts on it.
  consuming func takeDescriptor() -> FileDescriptor { descriptor }
}

extension ListeningSocket.Address {
  /// Removes a socket that the daemon made, unless somebody else's is there by now. To be called while it is still
  /// open: later another daemon's may be there, with the same inode.
  func remove() {
    guard case .made(let path, let inode) = self else { return }
    var status = stat()
    if lstat(path, &status) == 0, UInt64(status.st_ino) == inode { unlink(path) }
  }
}

/// The socket cannot be had; one line for people.
struct ListenError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
