import CLinux
import Glibc
import Linux

/// The file of a recording: what is written is whole lines, so that it is a good recording at any moment.
struct RecordingFile: ~Copyable {
  let path: String
  private let file: FileDescriptor
  private let isRegular: Bool
  /// Whether it was there before.
  private let isOld: Bool
  private var length: Int64 = 0

  /// Opens the file; an existing one keeps what is in it until the first line is written.
  ///
  /// - Parameter replacing: whether an existing one may be replaced.
  init(_ path: String, replacing: Bool) throws(CommandError) {
    let isOld = access(path, F_OK) == 0
    let file = try Self.open(path, replacing: replacing)
    var about = stat()
    self.path = path
    self.isOld = isOld
    isRegular = fstat(file.number, &about) == 0 && about.st_mode & S_IFMT == S_IFREG
    self.file = file
  }

  private static func open(_ path: String, replacing: Bool) throws(CommandError) -> FileDescriptor {
    do throws(SystemError) {
      return FileDescriptor(
        owning: try checked("write \(path)") {
          clinux_open_mode(path, O_WRONLY | O_CREAT | (replacing ? 0 : O_EXCL), 0o666)
        })
    } catch {
      throw error.code == EEXIST
        ? CommandError(ExitCode.failure, "\(path) exists; --force replaces it")
        : CommandError(ExitCode.failure, "\(error)")
    }
  }

  /// A file that we made and that has nothing in it goes again.
  deinit {
    if isRegular, !isOld, length == 0 { unlink(path) }
  }

  /// Writes whole lines; where that fails, what is in the file still ends with a whole one.
  mutating func write(_ lines: [UInt8]) throws(CommandError) {
    guard !lines.isEmpty else { return }
    do throws(SystemError) {
      if length == 0 { try cut() }
      var written = 0
      while written < lines.count {
        written += try checked("write \(path)") {
          lines.withUnsafeBytes {
            Glibc.write(file.number, $0.baseAddress.map { $0 + written }, lines.count - written)
          }
        }
      }
      length += Int64(lines.count)
    } catch {
      try? cut()
      throw CommandError(ExitCode.failure, "\(error); the recording ends there")
    }
  }

  /// A pipe or a device has no length to cut.
  private func cut() throws(SystemError) {
    guard isRegular else { return }
    let (number, length) = (file.number, off_t(length))
    try checked("cut \(path)") { ftruncate(number, length) }
  }
}
