import CNumbers
import Motion

// Rows as programs write them: plain numbers between commas.
extension RowDecoder {
  /// A field that is read.
  struct Field {
    /// Separators to pass before it, from where the last one ended.
    let separators: Int
    /// 0 is the time; 1, 2, 3 are x, y, z.
    let role: Int
  }

  /// How far a row has been read, and what was in it.
  private struct QuickRow {
    var at: UnsafePointer<CChar>
    /// Behind the row.
    let end: UnsafePointer<CChar>
    /// Behind all bytes that there are.
    let limit: UnsafePointer<CChar>
    var nanoseconds: Int64 = 0
    var x = 0.0
    var y = 0.0
    var z = 0.0

    /// Whether a field ends here.
    @inline(__always)
    var isAtSeparator: Bool { at == end || (at < end && at.pointee == QuickRow.comma) }

    static let comma = CChar(bitPattern: UInt8(ascii: ","))
    static let quote = CChar(bitPattern: UInt8(ascii: "\""))
  }

  /// The row if all four fields are plain finite numbers between commas; nil leaves it to `carefulSample`.
  @inline(__always)
  func quickSample(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ limit: Int) -> RawSample? {
    let text = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
    var row = QuickRow(at: text + start, end: text + end, limit: text + limit)
    // Written out: a loop over an array of the four would cost more than the numbers.
    guard read(first, &row), read(second, &row), read(third, &row), read(fourth, &row),
      row.x.isFinite, row.y.isFinite, row.z.isFinite
    else { return nil }
    return RawSample(timestampNanoseconds: row.nanoseconds, raw: Vector3(row.x, row.y, row.z))
  }

  /// Reads the next field; false where it is not a plain number, or missing.
  @inline(__always)
  private func read(_ field: Field, _ row: inout QuickRow) -> Bool {
    var left = field.separators
    while left > 0 {
      while row.at < row.end, row.at.pointee != QuickRow.comma {
        if row.at.pointee == QuickRow.quote { return false }
        row.at += 1
      }
      guard row.at < row.end else { return false }
      row.at += 1
      left -= 1
    }
    let count: Int
    switch field.role {
    case 0: return readTime(&row)
    case 1: count = cnumbers_parse_double(row.at, row.limit, &row.x)
    case 2: count = cnumbers_parse_double(row.at, row.limit, &row.y)
    default: count = cnumbers_parse_double(row.at, row.limit, &row.z)
    }
    row.at += count
    return count > 0 && count <= Self.longestNumber && row.isAtSeparator
  }

  /// Whole units are one multiplication; others are decimals.
  @inline(__always)
  private func readTime(_ row: inout QuickRow) -> Bool {
    var units: UInt64 = 0
    let start = row.at
    row.at += cnumbers_parse_digits(row.at, row.limit, &units)
    guard row.at > start, row.isAtSeparator, wholeNanoseconds > 0 else { return readDecimalTime(&row, start) }
    let (product, overflow) = units.multipliedReportingOverflow(by: wholeNanoseconds)
    row.nanoseconds = Int64(truncatingIfNeeded: product)
    return !overflow && product <= timeLimit
  }

  private func readDecimalTime(_ row: inout QuickRow, _ start: UnsafePointer<CChar>) -> Bool {
    while row.at < row.end, row.at.pointee != QuickRow.comma { row.at += 1 }
    let field = UnsafeRawBufferPointer(start: start, count: row.at - start)
    guard let nanoseconds = time.nanoseconds(field, separator: UInt8(ascii: ".")) else { return false }
    row.nanoseconds = nanoseconds
    return true
  }
}
