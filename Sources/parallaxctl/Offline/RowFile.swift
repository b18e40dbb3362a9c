import CLinux
import CNumbers
import Glibc
import Linux

/// A file of rows of numbers, written through one large buffer.
struct RowFile: ~Copyable {
  private let file: FileDescriptor
  private let name: String
  private let buffer: UnsafeMutableBufferPointer<CChar>
  private var filled = 0
  /// Bytes of whole rows in the file; nil where it is not ours to cut.
  private var length: Int64?

  private static let capacity = 262_144
  /// More than any row: seven fields of at most 24 bytes, and the names of JSON Lines.
  private static let longestRow = 320

  /// A file that is in use, and what it is: `the trace`.
  typealias Other = (path: String, name: String)

  /// Opens the output. An existing file is replaced, but none that is in use, by whatever name.
  ///
  /// - Parameters:
  ///   - path: nil is standard output.
  ///   - others: the files that are being read and written.
  init(path: String?, notOver others: [Other]) throws(CommandError) {
    name = path ?? "standard output"
    file = try CommandError.wrap(ExitCode.failure) { () throws(SystemError) in
      if let path { return try Self.create(path, notOver: others) }
      return FileDescriptor(owning: try checked("write to standard output") { dup(STDOUT_FILENO) })
    }
    var about = stat()
    if path != nil, fstat(file.number, &about) == 0, about.st_mode & S_IFMT == S_IFREG { length = 0 }
    buffer = .allocate(capacity: Self.capacity)
  }

  deinit { buffer.deallocate() }

  var isTerminal: Bool { isatty(file.number) == 1 }

  /// Makes room for a row. Nothing is allocated.
  mutating func beginRow() throws(CommandError) {
    if filled > Self.capacity - Self.longestRow { try flush() }
  }

  /// Writes what is in the buffer, whole rows; where that fails, the file still ends with one.
  mutating func flush() throws(CommandError) {
    do throws(SystemError) {
      try UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<filled])
        .write(to: file.number, "write \(name)")
    } catch {
      filled = 0
      if let length { ftruncate(file.number, off_t(length)) }
      throw error.code == EPIPE ? .outputClosed : CommandError(ExitCode.failure, "\(error)")
    }
    length? += Int64(filled)
    filled = 0
  }

  mutating func put(_ text: StaticString) {
    guard let base = buffer.baseAddress else { return }
    memcpy(base + filled, text.utf8Start, text.utf8CodeUnitCount)
    filled += text.utf8CodeUnitCount
  }

  mutating func put(_ value: Double) {
    guard let base = buffer.baseAddress else { return }
    filled += cnumbers_format_double(value, base + filled, buffer.count - filled)
  }

  mutating func put(_ value: Int64) {
    guard let base = buffer.baseAddress else { return }
    filled += cnumbers_format_int64(value, base + filled, buffer.count - filled)
  }

  private static func create(_ path: String, notOver others: [Other]) throws(SystemError) -> FileDescriptor {
    let file = FileDescriptor(
      owning: try checked("write \(path)") { clinux_open_mode(path, O_WRONLY | O_CREAT, 0o666) })
    var output = stat()
    try checked("look at \(path)") { fstat(file.number, &output) }
    // A pipe or a device has no length to cut, and takes what several write.
    guard output.st_mode & S_IFMT == S_IFREG else { return file }
    for other in others {
      var used = stat()
      if stat(other.path, &used) == 0, used.st_dev == output.st_dev, used.st_ino == output.st_ino {
        throw SystemError(code: EEXIST, operation: "write \(path), which is \(other.name) itself")
      }
    }
    try checked("empty \(path)") { ftruncate(file.number, 0) }
    return file
  }
}
