import Motion

extension TraceLayout {
  /// A table whose columns somebody has named.
  ///
  /// Where a name is among them, the header is the first line that holds all of them, whatever stands before
  /// it. Where all are numbers, comment lines are passed over, and the line after them is the first row, or a
  /// header if none of the four fields is a number.
  init(_ header: HeaderText, mapping: ColumnMapping) throws(TraceError) {
    let isNumbered = mapping.references.allSatisfy { if case .number = $0 { true } else { false } }
    let layout =
      isNumbered
      ? try Self.numbered(header, mapping) : try Self.named(header, mapping)
    self = layout
    model.scale = Vector3(mapping.scale[0], mapping.scale[1], mapping.scale[2])
  }

  private static func named(_ header: HeaderText, _ mapping: ColumnMapping) throws(TraceError) -> TraceLayout
  {
    let wanted = mapping.references.compactMap { if case .name(let name) = $0 { name } else { nil } }
    for line in header.lines {
      for separator in HeaderFields.separators {
        let fields = line.fields(separatedBy: separator)
        guard wanted.allSatisfy(fields.names.contains) else { continue }
        return try layout(header, mapping, fields, next: line.next, line: line.number + 1)
      }
    }
    // Nothing fits: the line that looks most like the header explains.
    guard let line = header.lines.first(where: { !$0.isBlank && !$0.isComment }) else {
      throw TraceError("there is no header that names \(wanted.joined(separator: ", "))")
    }
    let best = line.likeliestFields
    for name in wanted { _ = try best.column(named: name) }
    throw TraceError(line: line.number, "there is no header that names \(wanted.joined(separator: ", "))")
  }

  private static func numbered(_ header: HeaderText, _ mapping: ColumnMapping) throws(TraceError)
    -> TraceLayout
  {
    let rows = header.lines.filter { !$0.isBlank && !$0.isComment }.prefix(2)
    guard let first = rows.first else { throw TraceError("there are no rows") }
    for line in rows {
      var best: (numbers: Int, layout: TraceLayout)?
      for separator in HeaderFields.separators {
        let fields = line.fields(separatedBy: separator)
        // A slice keeps the offsets of the file.
        let candidate = try layout(
          header, mapping, fields, next: line.bytes.startIndex, line: line.number)
        let numbers = RowDecoder(layout: candidate).numbers(in: line.bytes)
        if numbers > (best?.numbers ?? 0) { best = (numbers, candidate) }
      }
      if let best { return best.layout }
    }
    // A header, or nothing that is a number: the first row will say so.
    return try layout(
      header, mapping, first.fields(separatedBy: HeaderFields.separators[0]),
      next: first.next, line: first.number + 1)
  }

  private static func layout(
    _ header: HeaderText, _ mapping: ColumnMapping, _ fields: HeaderFields, next: Int, line: Int
  ) throws(TraceError) -> TraceLayout {
    var columns: [Int] = []
    var names: [String] = []
    for reference in mapping.references {
      columns.append(try column(reference, fields))
      switch reference {
      case .name(let name): names.append(name)
      case .number(let number): names.append("column \(number)")
      }
    }
    guard Set(columns).count == 4 else {
      throw TraceError(
        line: fields.line, "two of t, x, y and z are the same column; as in \(ColumnSuggestion.example)")
    }
    var layout = TraceLayout(
      format: .mapped, time: mapping.time, separator: fields.separator, lineEnd: header.lineEnd,
      columns: columns, names: names, firstRow: next, firstRowLine: line)
    layout.accelerations = try accelerations(mapping, fields)
    return layout
  }

  private static func column(
    _ reference: ColumnMapping.Reference, _ fields: HeaderFields
  ) throws(TraceError) -> Int {
    switch reference {
    case .name(let name): try fields.column(named: name)
    case .number(let number): number - 1
    }
  }

  private static func accelerations(
    _ mapping: ColumnMapping, _ fields: HeaderFields
  ) throws(TraceError) -> AccelerationColumns? {
    guard let named = mapping.accelerations else { return nil }
    var columns: [Int] = []
    for reference in named.references { columns.append(try column(reference, fields)) }
    guard Set(columns).count == 3 else {
      throw TraceError(line: fields.line, "two of ax, ay and az are the same column")
    }
    return AccelerationColumns(
      columns: columns, scale: Vector3(named.scale[0], named.scale[1], named.scale[2]))
  }
}
