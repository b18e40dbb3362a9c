import CLinux
import Glibc
import Linux

/// Files of sysfs and /proc, read as text: bounded, and made fit to be printed.
enum PrintableFiles {
  private static let textLimit = 4096

  /// The text of a regular file without blanks at its ends, at most 4 KiB; nil where it cannot be read.
  static func text(_ path: String) -> String? {
    bytes(path, limit: textLimit).map { trimmed(String(decoding: $0, as: UTF8.self)).printable(limit: 1000) }
  }

  /// Lines of a regular file, for larger ones.
  static func lines(_ path: String, limit: Int = 1 << 20) -> [String]? {
    bytes(path, limit: limit).map {
      String(decoding: $0, as: UTF8.self).split(separator: "\n").map { $0.description.printable() }
    }
  }

  private static func bytes(_ path: String, limit: Int) -> [UInt8]? {
    try? SmallFile.contents(of: path, limit: limit)
  }

  /// What is in a folder, in the order of the names; empty where there is none.
  static func entries(_ path: String) -> [String] { (try? Folder.entries(of: path)) ?? [] }

  /// Whether there is a folder, or something on the way to it, that this user may not look into.
  static func isClosed(_ path: String) -> Bool {
    do throws(SystemError) {
      _ = try Folder.entries(of: path, limit: 1)
      return false
    } catch {
      return error.code == EACCES || error.code == EPERM
    }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Owner and rights; nil where there is no such file.
  static func facts(_ path: String) -> MachineFacts.File? {
    var about = stat()
    guard stat(path, &about) == 0 else { return nil }
    return MachineFacts.File(
      path: path.printable(), owner: AccountNames.user(about.st_uid), group: AccountNames.group(about.st_gid),
      mode: about.st_mode & 0o777, isWritable: access(path, R_OK | W_OK) == 0)
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while let last = rest.last, last.isWhitespace || last == "\0" { rest = rest.dropLast() }
    return String(rest.drop(while: \.isWhitespace))
  }
}
