import CLinux
import Glibc
import Linux

/// A picture's file, which is there whole or not at all: written under another name beside it, and then named. An
/// existing file is replaced and keeps its mode, but never the trace itself.
struct PictureFile {
  /// As it is called in errors.
  private let name: String
  /// Where it is, links followed.
  private let target: String
  /// Of the file that is replaced.
  private let mode: mode_t?

  /// Looks whether it can be written, and leaves nothing there.
  ///
  /// - Parameter trace: the file that is being read.
  init(_ path: String, notOver trace: String?) throws(CommandError) {
    let name = path.printable(limit: 300)
    self.name = name
    (target, mode) = try CommandError.wrap(ExitCode.failure) { () throws(SystemError) in
      try Self.look(at: path, name, notOver: trace)
    }
    _ = try openDraft()
    unlink(draft)
  }

  /// - Throws: nothing is left of it then, and a file that was there is as it was.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    let file = try openDraft()
    try CommandError.wrap(ExitCode.failure) { () throws(SystemError) in
      do throws(SystemError) {
        if let mode { try checked("give \(name) its mode") { fchmod(file.number, mode) } }
        try bytes.write(to: file.number, "write \(name)")
        try checked("write \(name)") { rename(draft, target) }
      } catch {
        unlink(draft)
        throw error
      }
    }
  }

  /// In the same folder, and short, whatever the picture is called.
  private var draft: String {
    let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
    return "\(folder).parallaxctl-\(getpid()).part"
  }

  private func openDraft() throws(CommandError) -> FileDescriptor {
    try CommandError.wrap(ExitCode.failure) { () throws(SystemError) in
      FileDescriptor(
        owning: try checked("write \(name)") { clinux_open_mode(draft, O_WRONLY | O_CREAT | O_EXCL, 0o666) })
    }
  }

  private static func look(
    at path: String, _ name: String, notOver trace: String?
  ) throws(SystemError) -> (target: String, mode: mode_t?) {
    var output = stat()
    guard stat(path, &output) == 0 else {
      // A link that leads nowhere would be replaced itself.
      guard errno == ENOENT, lstat(path, &output) != 0 else {
        throw SystemError(code: errno == ENOENT ? ELOOP : errno, operation: "write \(name)")
      }
      return (path, nil)
    }
    var input = stat()
    if let trace, stat(trace, &input) == 0, input.st_dev == output.st_dev, input.st_ino == output.st_ino {
      throw SystemError(code: EEXIST, operation: "write \(name), which is the trace itself")
    }
    guard output.st_mode & S_IFMT == S_IFREG else {
      let code = output.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENOTSUP
      throw SystemError(code: code, operation: "write \(name), which is no regular file")
    }
    try checked("write \(name)") { access(path, W_OK) }
    guard let real = realpath(path, nil) else { throw SystemError(code: errno, operation: "write \(name)") }
    defer { free(real) }
    return (String(cString: real), output.st_mode & 0o7777)
  }
}
