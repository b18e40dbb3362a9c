/// How the terminal can be drawn on.
struct PictureStyle: Equatable, Sendable {
  /// Whether colours are wanted (NO_COLOR is not set).
  var hasColour = true
  /// Whether the locale is UTF-8; else ASCII only.
  var hasUnicode = true
}

/// Draws a `WatchState`: pure, from a state to a picture.
enum WatchPicture {
  /// The smallest picture with a plane in it, cells.
  private static let smallestColumns = 16
  private static let smallestRows = 4

  /// The picture, of the terminal's size.
  ///
  /// - Parameters:
  ///   - state: its window is moved after the dot.
  ///   - now: CLOCK_MONOTONIC, nanoseconds; the trail fades by it.
  static func draw(
    _ state: inout WatchState, columns: Int, rows: Int, style: PictureStyle, now: Int64
  ) -> Canvas {
    var canvas = Canvas(columns: columns, rows: rows)
    guard columns > 0, rows > 0 else { return canvas }
    // A reason is told whole where there is room.
    let words = wrapped(state.stateText, columns, limit: rows >= 20 ? 4 : rows >= 12 ? 2 : 1)
    let parts = state.scene.map { laidOut($0.pieces, columns, limit: rows >= 20 ? 3 : 1) } ?? []
    let hasHelp = rows >= 12
    let bars = rows >= 16 ? RateBars.rows(state, canvasRows: rows) : 0
    let planeRows = rows - 1 - 1 - bars - parts.count - words.count - (hasHelp ? 1 : 0)
    guard planeRows >= smallestRows, columns >= smallestColumns else {
      drawLines(state, on: &canvas)
      return canvas
    }
    drawHeader(state, on: &canvas, row: 0)
    drawPlane(&state, on: &canvas, top: 1, rows: planeRows, style: style, now: now)
    var row = 1 + planeRows
    canvas.write(offsetLine(state, columns), column: 0, row: row)
    row += 1
    for line in parts {
      canvas.write(line, column: 0, row: row)
      row += 1
    }
    if bars > 0 { RateBars.draw(state, on: &canvas, top: row, rows: bars, style: style) }
    row += bars
    for line in words {
      canvas.write(line, column: 0, row: row, ink(of: state))
      row += 1
    }
    if hasHelp {
      let help = state.notice.isEmpty ? "q quits, r recenters" : state.notice
      canvas.write(cut(help, columns), column: 0, row: row, state.notice.isEmpty ? .faint : .alert)
    }
    return canvas
  }

  /// Too small for a picture: what matters most comes first.
  private static func drawLines(_ state: WatchState, on canvas: inout Canvas) {
    let mark = state.isSynthetic ? "SYNTHETIC " : ""
    canvas.write(mark + offsetLine(state, canvas.columns), column: 0, row: 0)
    canvas.write(state.stateText, column: 0, row: 1, ink(of: state))
    if canvas.rows > 2 { drawHeader(state, on: &canvas, row: 2) }
  }

  private static func drawHeader(_ state: WatchState, on canvas: inout Canvas, row: Int) {
    let name = "parallaxd \(state.daemonVersion)"
    guard state.isSynthetic else {
      canvas.write("\(name)  \(state.sensorName)", column: 0, row: row)
      return
    }
    // The mark comes first: it is never what is cut off.
    let end = canvas.write("SYNTHETIC demonstration", column: 0, row: row, .alert)
    canvas.write("  \(name)", column: end, row: row)
  }

  /// The offset, and what else fits whole.
  private static func offsetLine(_ state: WatchState, _ columns: Int) -> String {
    let event = state.event
    var line = "x \(DecimalText.signed(event.x, digits: 2, width: 9))"
    line += "  y \(DecimalText.signed(event.y, digits: 2, width: 9))"
    var more = [" points", "  \(DecimalText.update(event.sequence))"]
    if let tilt = event.tilt {
      more.append("  tilt \(DecimalText.signed(tilt.x, digits: 2)) \(DecimalText.signed(tilt.y, digits: 2))")
    }
    if state.droppedCount > 0 { more.insert("  missed \(state.droppedCount)", at: 1) }
    for piece in more where line.count + piece.count <= columns { line += piece }
    return cut(line, columns)
  }

  private static func ink(of state: WatchState) -> Ink {
    switch state.event.state {
    case .running: .good
    case .waiting, .stalled: .alert
    case .idle, .starting, .reduced: .plain
    }
  }

  /// `text` cut to `columns`; made of characters one column wide.
  static func cut(_ text: String, _ columns: Int) -> String { String(text.prefix(columns)) }

  /// `text` broken between words into lines of at most `columns`; what is left after `limit` lines is cut off.
  static func wrapped(_ text: String, _ columns: Int, limit: Int) -> [String] {
    var lines: [String] = []
    var rest = Substring(text)
    while lines.count < limit - 1, rest.count > columns {
      let line = rest.prefix(columns + 1)
      let end = line.lastIndex(of: " ").flatMap { $0 > line.startIndex ? $0 : nil }
      lines.append(String(end.map { rest[..<$0] } ?? rest.prefix(columns)))
      rest = end.map { rest[$0...].dropFirst() } ?? rest.dropFirst(columns)
    }
    return lines + [cut(String(rest), columns)]
  }

  /// Pieces two spaces apart, in lines of at most `columns`; broken between them alone. How many found no room in
  /// `limit` lines is said at the end.
  static func laidOut(_ pieces: [String], _ columns: Int, limit: Int) -> [String] {
    func text(_ line: [String]) -> String { line.joined(separator: "  ") }
    var lines: [[String]] = [[]]
    for piece in pieces {
      let last = lines[lines.count - 1]
      if !last.isEmpty, text(last + [piece]).count > columns { lines.append([]) }
      lines[lines.count - 1].append(piece)
    }
    var left = lines.dropFirst(limit).joined().count
    lines = Array(lines.prefix(limit))
    if left > 0, var last = lines.popLast() {
      while last.count > 1, text(last + ["+\(left) more"]).count > columns {
        last.removeLast()
        left += 1
      }
      lines.append(last + ["+\(left) more"])
    }
    return lines.map { cut(text($0), columns) }
  }
}
