import Linux
import Motion

/// Where in a file the rows begin and what their fields mean: what the header, or a mapping, has said.
package struct TraceLayout: Sendable {
  /// A field that is read: its column and what it is.
  struct Slot: Equatable, Sendable {
    /// From 0.
    var column: Int
    /// 0 is the time, 1, 2, 3 are x, y and z.
    var role: Int

    /// From left to right.
    ///
    /// - Parameter columns: of the roles in their order.
    static func sorted(_ columns: [Int]) -> [Slot] {
      columns.enumerated().map { Slot(column: $0.element, role: $0.offset) }.sorted { $0.column < $1.column }
    }
  }

  package let format: TraceFormat
  /// How the three values of a row become rad/s.
  package var model = SensorModel()
  /// Whether the header says how the sensor sits in the device (`model.mountMatrix`).
  package var hasOrientation = false
  /// What the header calls the device, fit for a line.
  package var deviceName: String?
  /// What a recording of `parallaxctl record` says of its sensor.
  package var recordedSensor: RecordedSensor?
  /// Accelerations beside the rates; nil where there are none.
  var accelerations: AccelerationColumns?
  /// Whether there are any.
  package var hasAcceleration: Bool { accelerations != nil }
  let time: TimeScale
  /// `,`, `;`, TAB, or a blank (then any run of them).
  let separator: UInt8
  /// LF (a CR before it is passed over) or CR.
  let lineEnd: UInt8
  /// The four fields from left to right.
  let slots: InlineArray<4, Slot>
  /// What errors call the columns of t, x, y and z: `GX`, `column 3`.
  let names: [String]
  /// Offset of the first row in the file.
  let firstRow: Int
  /// Its line, from 1.
  let firstRowLine: Int

  /// Bytes of a file in which the rows must have begun.
  package static let headerLimit = 65_536
  /// Bytes of a line.
  package static let lineLimit = 65_536

  /// - Parameter columns: of t, x, y and z, from 0.
  init(
    format: TraceFormat, time: TimeScale, separator: UInt8, lineEnd: UInt8, columns: [Int], names: [String],
    firstRow: Int, firstRowLine: Int
  ) {
    self.format = format
    self.time = time
    self.separator = separator
    self.lineEnd = lineEnd
    let sorted = Slot.sorted(columns)
    slots = InlineArray { sorted[$0] }
    self.names = names
    self.firstRow = firstRow
    self.firstRowLine = firstRowLine
  }

  /// Reads the beginning of a file.
  ///
  /// - Parameters:
  ///   - bytes: the first `headerLimit` bytes, or all there are.
  ///   - isWhole: whether they are the whole file.
  ///   - mapping: what `--columns` says; nil: the format is told from the content.
  /// - Throws: an error with line and column, without a file.
  package static func detect(
    _ bytes: UnsafeRawBufferPointer, isWhole: Bool, mapping: ColumnMapping? = nil
  ) throws(TraceError) -> TraceLayout {
    let header = try HeaderText(bytes, isWhole: isWhole)
    if let mapping { return try TraceLayout(header, mapping: mapping) }
    if let first = header.lines.first, gyroflowMarks.contains(first.trimmed) {
      return try TraceLayout(gyroflow: header)
    }
    return try TraceLayout(known: header)
  }
}

extension TraceLayout {
  /// A table whose header names are known.
  init(known header: HeaderText) throws(TraceError) {
    var comment: HeaderLine?
    for line in header.lines where !line.isBlank {
      var matches: [(table: KnownTable, fields: HeaderFields)] = []
      for separator in HeaderFields.separators {
        // Blanks may stand around other separators too.
        if separator == UInt8(ascii: " "), !matches.isEmpty { break }
        let fields = line.fields(separatedBy: separator)
        for table in KnownTable.all where fields.hold(table) { matches.append((table, fields)) }
      }
      guard matches.count < 2 else { throw Self.ambiguous(line, matches.map { $0.table }) }
      if let (table, fields) = matches.first {
        var columns: [Int] = []
        for name in table.names { columns.append(try fields.column(named: name)) }
        self.init(
          format: table.format, time: TimeScale(power: table.power), separator: fields.separator,
          lineEnd: header.lineEnd, columns: columns, names: table.names, firstRow: line.next,
          firstRowLine: line.number + 1)
        if let names = table.accelerations {
          accelerations = AccelerationColumns(names: names, in: fields, scale: 1)
        }
        return
      }
      guard line.isComment else { throw Self.unknown(line, after: comment) }
      comment = line
    }
    throw header.isWhole
      ? TraceError("there are no rows: a trace begins with a header that names its columns")
      : TraceError("no header in the first \(Self.headerLimit) bytes: not a trace")
  }

  private static func ambiguous(_ line: HeaderLine, _ tables: [KnownTable]) -> TraceError {
    let lists = tables.map { "\"" + $0.names.joined(separator: ",") + "\"" }
    return TraceError(
      line: line.number,
      "the header fits \(lists.joined(separator: " and ")); say which, as in "
        + TraceError.advice(ColumnSuggestion.example))
  }

  /// The error of a header that nobody knows, or of none; the header may be in the last comment.
  private static func unknown(_ line: HeaderLine, after comment: HeaderLine?) -> TraceError {
    var line = line
    var names = line.likeliestFields.names
    if names.allSatisfy({ $0.isEmpty || Number.parse($0) != nil }) {
      guard let comment, comment.likeliestFields.names.count == names.count else {
        let columns = names.count.counted("column")
        return TraceError(
          line: line.number,
          names.count < 4
            ? "no header, and \(columns): a trace has a time and three rates"
            : "there is no header; give the columns by number: "
              + TraceError.advice(ColumnSuggestion.numbered))
      }
      line = comment
      names = comment.likeliestFields.names
    }
    let mapping = ColumnSuggestion.mapping(of: names)
    // A suggestion repeats the names that matter.
    let listing = TraceError.listing(names, limit: mapping == nil ? 160 : 60)
    if names.count < 4 {
      return TraceError(
        line: line.number, "unknown header (\(listing)): a trace has a time and three rates")
    }
    let time = ColumnSuggestion.timeColumn(of: names) == nil ? "no column sounds like a time; " : ""
    let units = mapping?.contains(ColumnSuggestion.unknown) == true ? "; UNIT: \(ColumnMapping.units)" : ""
    return TraceError(
      line: line.number,
      "unknown header (\(listing)); \(time)name the columns\(mapping == nil ? ", as in" : ":") "
        + TraceError.advice(mapping ?? ColumnSuggestion.example) + units)
  }
}
