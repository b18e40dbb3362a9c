import Glibc
import Linux
import Motion

/// The bytes of a trace → samples: lines, rows, faults. Pure, so that it can be fed anything; it never looks
/// at more than the bytes given, and a line longer than `TraceLayout.lineLimit` is a fault.
package struct TraceDecoder {
  /// What one step over the bytes has found.
  package enum Step: Equatable, Sendable {
    case sample(RawSample)
    /// A row that cannot be read, now behind `position`: see `error(in:)`.
    case fault
    /// The next line is not whole: come again with the bytes from `position` on and more after them.
    case needsMore
    case end
  }

  private let layout: TraceLayout
  private var rows: RowDecoder
  /// Where in the bytes the next line begins.
  package var position: Int
  /// That line's number in the file, from 1.
  private var line: Int
  /// Within a line that was too long; its rest is passed over.
  private var isDiscarding = false
  /// The last fault, where its row began, and its line.
  private var fault: (RowDecoder.Fault, start: Int, line: Int)?

  /// At the first row of a file whose bytes are given from its beginning.
  ///
  /// - Parameter readsAcceleration: whether samples have accelerations, where there are any.
  package init(layout: TraceLayout, readsAcceleration: Bool = false) {
    self.layout = layout
    rows = RowDecoder(layout: layout, readsAcceleration: readsAcceleration)
    position = layout.firstRow
    line = layout.firstRowLine
  }

  /// Goes on to the next row. Blank lines are passed over.
  ///
  /// - Parameters:
  ///   - bytes: what is there of the file.
  ///   - isLast: whether nothing comes after them.
  package mutating func next(in bytes: UnsafeRawBufferPointer, isLast: Bool) -> Step {
    guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
      return isLast ? .end : .needsMore
    }
    while position < bytes.count {
      let start = position
      guard let end = lineEnd(base, bytes.count, isLast) else {
        guard bytes.count - start > TraceLayout.lineLimit else { return .needsMore }
        position = bytes.count
        if isDiscarding { continue }
        isDiscarding = true
        fault = (RowDecoder.Fault(reason: .tooLong), start, line)
        return .fault
      }
      position = min(end + 1, bytes.count)
      line += 1
      if isDiscarding {
        isDiscarding = false
        continue
      }
      let textEnd = end > start && base[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
      if isBlank(base, start, textEnd) { continue }
      do throws(RowDecoder.Fault) {
        guard textEnd - start <= TraceLayout.lineLimit else { throw RowDecoder.Fault(reason: .tooLong) }
        return .sample(try rows.decode(base, start, textEnd, limit: bytes.count))
      } catch {
        fault = (error, start, line - 1)
        return .fault
      }
    }
    return isLast ? .end : .needsMore
  }

  /// The offset of the end of the line at `position`; the end of the bytes where they are the last.
  @inline(__always)
  private func lineEnd(_ base: UnsafePointer<UInt8>, _ count: Int, _ isLast: Bool) -> Int? {
    guard let found = memchr(base + position, Int32(layout.lineEnd), count - position) else {
      return isLast ? count : nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  @inline(__always)
  private func isBlank(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var at = start
    while at < end {
      guard RowDecoder.isBlank(base[at]) else { return false }
      at += 1
    }
    return true
  }

  /// The last fault in words; `bytes` are those that the step was given.
  package func error(in bytes: UnsafeRawBufferPointer) -> TraceError {
    guard let (fault, start, line) = fault else { return TraceError("no row is broken") }
    if fault.reason == .tooLong {
      return TraceError(line: line, "the line is longer than \(TraceLayout.lineLimit) bytes")
    }
    let field = bytes[fault.start..<fault.end]
    let found = TraceError.quoted(field)
    let role = ["t", "x", "y", "z"][fault.role]
    let name = layout.names[fault.role]
    let label = name == role ? role : "\(role) (\(name.printable(limit: 60)))"
    let text =
      switch fault.reason {
      case .missing: "\(label): the row ends before this column"
      case .mixedMarks: "\(label): decimal points and decimal commas in one file: \(found)"
      case .notATime: "\(label): expected a decimal number within ±2^62 ns, found \(found)"
      case .notANumber, .tooLong: "\(label): expected a finite number, found \(found)"
      }
    return TraceError(line: line, column: fault.start - start + 1, text)
  }
}
