import CLinux
import Glibc
import Linux

/// A report's file, which is there whole or not at all: written under another name beside it, and then named.
struct ReportFile {
  let path: String

  /// - Throws: where there is one already, which is somebody's, or the folder takes none. Leaves nothing there.
  init(_ path: String) throws(CommandError) {
    self.path = path
    try Self.demandNone(path)
    // So that nobody waits for what then cannot be written.
    _ = try openDraft()
    unlink(draft)
  }

  private var draft: String { "\(path).\(getpid()).part" }

  /// Throws where something of that name is there.
  static func demandNone(_ path: String) throws(CommandError) {
    var about = stat()
    guard lstat(path, &about) != 0 else {
      throw CommandError(ExitCode.failure, "\(path.printable()) exists: name another file for the report")
    }
  }

  func write(_ text: String) throws(CommandError) {
    let file = try openDraft()
    defer { unlink(draft) }
    do throws(SystemError) {
      try Array(text.utf8).write(to: file.number, "write \(path)")
      // Unlike rename(2), never over one that has come meanwhile.
      try checked("name \(path)") { link(draft, path) }
    } catch {
      // FAT has no links.
      if [EPERM, EOPNOTSUPP, ENOSYS].contains(error.code), access(path, F_OK) != 0, rename(draft, path) == 0 {
        return
      }
      throw CommandError(ExitCode.failure, "\(error); there is no report")
    }
  }

  private func openDraft() throws(CommandError) -> FileDescriptor {
    do throws(SystemError) {
      return FileDescriptor(
        owning: try checked("write \(path)") { clinux_open_mode(draft, O_WRONLY | O_CREAT | O_EXCL, 0o666) })
    } catch {
      throw CommandError(ExitCode.failure, "\(error); there is no report")
    }
  }
}
