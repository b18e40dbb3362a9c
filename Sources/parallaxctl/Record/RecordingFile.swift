import CLinux
import Glibc
import Linux

/// The file of a recording: what is written is whole lines, so that it is a good recording at any moment.
struct RecordingFile: ~Copyable {
  let path: String
  private let file: FileDescriptor
  /// What goes again where nothing was written; nil where it was there before.
  private let made: String?
  private var length: Int64 = 0

  /// Opens the file; an existing one keeps what is in it until the first line is written. Only a regular file
  /// is taken, and nothing is waited for: a pipe without a reader would hold the program up for ever.
  ///
  /// - Parameter replacing: whether an existing one may be replaced.
  init(_ path: String, replacing: Bool) throws(CommandError) {
    var made: String?
    do throws(SystemError) {
      file = try Self.open(path, replacing: replacing, made: &made)
    } catch {
      switch error.code {
      case EEXIST: throw CommandError(ExitCode.failure, "\(path) exists; --force replaces it")
      // Not `error.description`: what it says of the kind is all there is to say.
      case ENOTSUP: throw CommandError(ExitCode.failure, error.operation)
      default: throw CommandError(ExitCode.failure, "\(error)")
      }
    }
    self.path = path
    self.made = made
  }

  /// - Parameter made: becomes what was made, where that is.
  private static func open(
    _ path: String, replacing: Bool, made: inout String?
  ) throws(SystemError) -> FileDescriptor {
    if let file = try create(path) {
      made = path
      return file
    }
    try refuseOddKinds(path)
    guard replacing else { throw SystemError(code: EEXIST, operation: path) }
    return try openExisting(path, made: &made)
  }

  private static let writing = O_WRONLY | O_NONBLOCK | O_NOCTTY

  /// A new file; nil where there is something already, be it a link that leads nowhere.
  private static func create(_ path: String) throws(SystemError) -> FileDescriptor? {
    do throws(SystemError) {
      return FileDescriptor(
        owning: try checked("write \(path)") { clinux_open_mode(path, writing | O_CREAT | O_EXCL, 0o666) })
    } catch {
      guard error.code == EEXIST else { throw error }
      return nil
    }
  }

  /// Opens what is there, or makes what a link leads to, and then says where that is.
  private static func openExisting(
    _ path: String, made: inout String?
  ) throws(SystemError) -> FileDescriptor {
    var about = stat()
    let isDangling = stat(path, &about) != 0 && errno == ENOENT
    let file = FileDescriptor(
      owning: try checked("write \(path)") {
        clinux_open_mode(path, writing | (isDangling ? O_CREAT : 0), 0o666)
      })
    try checked("look at \(path)") { fstat(file.number, &about) }
    if let kind = oddKind(about) { throw notWritten(path, kind) }
    var output = stat()
    if fstat(STDOUT_FILENO, &output) == 0, output.st_dev == about.st_dev, output.st_ino == about.st_ino {
      throw notWritten(path, "the standard output, where a summary goes")
    }
    if isDangling, let target = realpath(path, nil) {
      made = String(cString: target)
      free(target)
    }
    return file
  }

  /// Looked at before it is opened: to open a device can do something to it.
  private static func refuseOddKinds(_ path: String) throws(SystemError) {
    var about = stat()
    if stat(path, &about) == 0, let kind = oddKind(about) { throw notWritten(path, kind) }
  }

  private static func oddKind(_ about: stat) -> String? {
    switch about.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  private static func notWritten(_ path: String, _ kind: String) -> SystemError {
    SystemError(
      code: ENOTSUP, operation: "\(path) is \(kind); name a file, a new one or with --force another")
  }

  /// A file that we made and that has nothing in it goes again; nothing else does.
  deinit {
    guard let made, length == 0 else { return }
    var ours = stat()
    var there = stat()
    guard fstat(file.number, &ours) == 0, lstat(made, &there) == 0, ours.st_dev == there.st_dev,
      ours.st_ino == there.st_ino
    else { return }
    unlink(made)
  }

  /// Writes whole lines; where that fails, what is in the file still ends with a whole one.
  mutating func write(_ lines: [UInt8]) throws(CommandError) {
    guard !lines.isEmpty else { return }
    do throws(SystemError) {
      if length == 0 { try cut() }
      try lines.write(to: file.number, "write \(path)")
      length += Int64(lines.count)
    } catch {
      try? cut()
      throw CommandError(ExitCode.failure, "\(error); the recording ends there")
    }
  }

  private func cut() throws(SystemError) {
    let (number, length) = (file.number, off_t(length))
    try checked("cut \(path)") { ftruncate(number, length) }
  }
}
