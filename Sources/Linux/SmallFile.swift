import CLinux
import Glibc

/// Files that are read whole: settings, attributes, what the kernel and udev tell. Bounded, since what is in
/// them is other people's.
package enum SmallFile {
  /// The bytes of a regular file, at most `limit`; of a longer one the first.
  ///
  /// Throws EISDIR for a folder and EINVAL for anything else that is no regular file: a pipe that somebody has
  /// put there must not hold us up.
  package static func contents(of path: String, limit: Int) throws(SystemError) -> [UInt8] {
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    let file = try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
    var status = stat()
    try checked("look at \(path)") { fstat(file.number, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError(code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL, operation: "read \(path)")
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while bytes.count < limit {
      let count = try checked("read \(path)") {
        read(file.number, &piece, min(piece.count, limit - bytes.count))
      }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// As `contents(of:limit:)`, as text up to the first NUL.
  package static func text(of path: String, limit: Int = 4096) throws(SystemError) -> String {
    String(decoding: try contents(of: path, limit: limit).prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// Folders and what is in them.
package enum Folder {
  /// The names in a folder by name, bytewise, hidden ones too, without `.` and `..`; at most `limit`.
  package static func entries(of path: String, limit: Int = 100_000) throws(SystemError) -> [String] {
    guard let stream = opendir(path) else { throw SystemError(code: errno, operation: "list \(path)") }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
