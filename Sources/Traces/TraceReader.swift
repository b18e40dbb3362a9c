import CLinux
import Glibc
import Linux
import Motion

/// A recording in a file, read row by row; the whole is never in memory.
///
///     var trace = try TraceReader(path: "walk.csv")
///     while let sample = try trace.next() { … }
///
/// Reading a row allocates nothing. Reads of a regular file do not wait, so it may be used on the loop.
package struct TraceReader: ~Copyable {
  package let path: String
  package let layout: TraceLayout
  /// Rows that were left out as broken since the last `rewind()`.
  package private(set) var skippedRows = 0
  /// The file's size when it was opened.
  package let bytesTotal: Int64

  private let file: FileDescriptor
  private let skipBadRows: Bool
  private let readsAcceleration: Bool
  private var decoder: TraceDecoder
  private let buffer: UnsafeMutableRawBufferPointer
  /// Bytes in the buffer.
  private var filled = 0
  private var isAtEnd = false
  /// Offset in the file of the buffer's first byte.
  private var offset: Int64 = 0

  /// Larger than the header and than a line, and a size that disks and page caches like.
  private static let bufferSize = 262_144

  /// Opens the file and reads its header.
  ///
  /// - Parameters:
  ///   - columns: an explicit mapping; nil: the format is told from the content.
  ///   - skipBadRows: whether a broken row is left out and counted, not thrown.
  ///   - readsAcceleration: whether samples have accelerations, where the table has.
  package init(
    path: String, columns: ColumnMapping? = nil, skipBadRows: Bool = false, readsAcceleration: Bool = false
  ) throws(TraceError) {
    let file = try Self.open(path)
    let size = try Self.size(of: file, path)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
    let layout: TraceLayout
    do throws(TraceError) {
      let (count, isLast) = try Self.fill(buffer, from: file.number, path)
      layout = try TraceLayout.detect(
        UnsafeRawBufferPointer(start: buffer.baseAddress, count: count),
        isWhole: isLast && count <= TraceLayout.headerLimit, mapping: columns)
      filled = count
      isAtEnd = isLast
    } catch {
      buffer.deallocate()
      throw error.inFile(path)
    }
    self.path = path
    self.skipBadRows = skipBadRows
    self.readsAcceleration = readsAcceleration
    self.file = file
    self.buffer = buffer
    self.layout = layout
    bytesTotal = size
    decoder = TraceDecoder(layout: layout, readsAcceleration: readsAcceleration)
  }

  deinit { buffer.deallocate() }

  package var format: TraceFormat { layout.format }

  /// How `RawSample.raw` becomes rad/s.
  package var model: SensorModel { layout.model }

  /// Bytes that the rows so far, and the header, take.
  package var bytesRead: Int64 { offset + Int64(decoder.position) }

  /// What `row(skippingAtMost:)` has come to.
  package enum Row {
    case sample(RawSample)
    case end
    /// As many broken rows as it was to skip: the caller may have something else to do before it goes on.
    case skipping
  }

  /// The next row, or nil after the last. After an error it goes on behind the broken row.
  package mutating func next() throws(TraceError) -> RawSample? {
    while true {
      switch try row(skippingAtMost: .max) {
      case .sample(let sample): return sample
      case .end: return nil
      case .skipping: continue
      }
    }
  }

  /// As `next()`, in bounded time.
  @inline(__always)
  package mutating func row(skippingAtMost limit: Int) throws(TraceError) -> Row {
    var skipped = 0
    while skipped < limit {
      let bytes = UnsafeRawBufferPointer(start: buffer.baseAddress, count: filled)
      switch decoder.next(in: bytes, isLast: isAtEnd) {
      case .sample(let sample): return .sample(sample)
      case .needsMore: try refill()
      case .end: return .end
      case .fault:
        guard skipBadRows else { throw decoder.error(in: bytes).inFile(path) }
        skippedRows += 1
        skipped += 1
      }
    }
    return .skipping
  }

  /// Back to the first row.
  package mutating func rewind() throws(TraceError) {
    do throws(SystemError) {
      try checked("rewind") { lseek(file.number, 0, SEEK_SET) }
    } catch {
      throw Self.unreadable(path, error)
    }
    (filled, isAtEnd) = try Self.fill(buffer, from: file.number, path)
    offset = 0
    decoder = TraceDecoder(layout: layout, readsAcceleration: readsAcceleration)
    skippedRows = 0
  }

  /// Moves what was not used to the front and reads more behind it.
  private mutating func refill() throws(TraceError) {
    let rest = filled - decoder.position
    if rest > 0, let base = buffer.baseAddress { memmove(base, base + decoder.position, rest) }
    offset += Int64(decoder.position)
    decoder.position = 0
    filled = rest
    let (count, isLast) = try Self.fill(
      UnsafeMutableRawBufferPointer(rebasing: buffer[rest...]), from: file.number, path)
    filled += count
    isAtEnd = isLast
  }

  /// Reads until the buffer is full or the file ends.
  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from file: Int32, _ path: String
  ) throws(TraceError) -> (count: Int, isAtEnd: Bool) {
    var count = 0
    while count < buffer.count, let base = buffer.baseAddress {
      let result: Int
      do throws(SystemError) {
        result = try checked("read") { read(file, base + count, buffer.count - count) }
      } catch {
        throw unreadable(path, error)
      }
      if result == 0 { return (count, true) }
      count += result
    }
    return (count, false)
  }

  private static func open(_ path: String) throws(TraceError) -> FileDescriptor {
    do throws(SystemError) {
      // Without O_NONBLOCK a FIFO would keep the daemon waiting for a writer.
      return try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
    } catch {
      throw unreadable(path, error)
    }
  }

  /// The size of a regular file; anything else may block, or never end.
  private static func size(of file: borrowing FileDescriptor, _ path: String) throws(TraceError) -> Int64 {
    var status = stat()
    do throws(SystemError) {
      try checked("look at") { fstat(file.number, &status) }
    } catch {
      throw unreadable(path, error)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw TraceError(
        file: path,
        isFolder
          ? "this is a directory; a trace is a file"
          : "this is no regular file; write the rows to a file first")
    }
    return Int64(status.st_size)
  }

  private static func unreadable(_ path: String, _ error: SystemError) -> TraceError {
    TraceError(file: path, String(cString: strerror(error.code)))
  }
}
