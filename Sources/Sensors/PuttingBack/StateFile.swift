import CLinux
import Glibc
import Linux

/// Where journals are kept, and in which boot that is.
package struct StatePlace: Equatable, Sendable {
  /// A folder of this user's.
  package let directory: String
  package let boot: String

  package init(directory: String, boot: String) {
    self.directory = directory
    self.boot = boot
  }
}

/// A journal's file, open and locked: who holds the lock is the one daemon that may touch the device for it.
struct StateFile: ~Copyable {
  private static let suffix = ".state"
  /// Digits of a name, so that what others leave in the folder is told from journals.
  private static let digits = 16
  /// Journals that are looked at; a folder of ours never has so many.
  static let mostFiles = 1024

  private let path: String
  private let descriptor: FileDescriptor

  /// Opens and locks the file.
  ///
  /// - Parameter creating: makes it where it is not there.
  ///
  /// Throws EWOULDBLOCK where another daemon holds it, ESTALE where one has just removed it.
  init(path: String, creating: Bool) throws(SystemError) {
    let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | (creating ? O_CREAT : 0)
    let file = FileDescriptor(
      owning: try checked("open \(path)") { clinux_open_mode(path, flags, 0o600) })
    try checked("lock \(path)") { flock(file.number, LOCK_EX | LOCK_NB) }
    var opened = stat()
    var named = stat()
    try checked("look at \(path)") { fstat(file.number, &opened) }
    try checked("look at \(path)") { lstat(path, &named) }
    guard opened.st_ino == named.st_ino, opened.st_dev == named.st_dev else {
      throw SystemError(code: ESTALE, operation: "lock \(path)")
    }
    // Another user's would have the device changed as that user likes.
    guard opened.st_mode & S_IFMT == S_IFREG, opened.st_uid == geteuid() else {
      throw SystemError(code: EPERM, operation: "use \(path)")
    }
    self.path = path
    descriptor = file
  }

  /// The journals in a folder by name, those of all devices; of more than `mostFiles` the first.
  ///
  /// - Parameter devices: theirs come before all others, whatever else lies in the folder.
  static func paths(in directory: String, first devices: [StateRecord.Device] = []) -> [String] {
    let own = devices.map { path(of: $0, in: directory) }
    let names = ((try? Folder.entries(of: directory)) ?? []).filter(isName)
    let others = names.prefix(mostFiles).map { "\(directory)/\($0)" }
    return own + others.filter { !own.contains($0) }
  }

  /// Whether a file of that name can be a journal: what `path(of:in:)` makes, and nothing else.
  static func isName(_ name: String) -> Bool {
    name.utf8.count == digits + suffix.utf8.count && name.hasSuffix(suffix)
      && name.utf8.prefix(digits).allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
  }

  /// The file of one device: by a hash, since names are other people's text.
  static func path(of device: StateRecord.Device, in directory: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325  // FNV-1a
    for text in [device.uri, device.id, device.name, device.parent] {
      for byte in Array(text.utf8) + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    let text = String(hash, radix: 16)
    return "\(directory)/\(String(repeating: "0", count: digits - text.count))\(text)\(suffix)"
  }

  /// All of it; one byte more than the largest that is valid at most.
  func read() throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= StateRecord.largest {
      let offset = off_t(bytes.count)
      let count = try checked("read \(path)") { pread(descriptor.number, &page, page.count, offset) }
      if count == 0 { break }
      bytes += page[..<count]
    }
    return bytes
  }

  /// Adds text at the end, in one piece. Not synced to the disk: the kernel keeps it when this process is
  /// killed, and when the machine goes down what the journal tells of goes too.
  func append(_ text: String) throws(SystemError) {
    let bytes = Array(text.utf8)
    let count = try checked("write \(path)") { write(descriptor.number, bytes, bytes.count) }
    guard count == bytes.count else { throw SystemError(code: ENOSPC, operation: "write \(path)") }
  }

  /// Everything is as it was.
  func remove() { unlink(path) }
}
