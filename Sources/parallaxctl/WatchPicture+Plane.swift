extension WatchPicture {
  /// A cell of the plane.
  private enum Mark: Equatable {
    case empty, grid, neutral, old, recent, dot
  }

  /// The framed plane with the dot and its trail: `rows` lines of `columns` cells, frame included.
  static func plane(
    _ state: inout WatchState, columns: Int, rows: Int, style: PictureStyle, now: Int64
  ) -> [String] {
    let width = columns - 2
    let height = rows - 2
    state.expire(now)
    // A cell is about twice as high as it is wide.
    let aspect = min(max(2 * Double(height) / Double(width), 0.05), 20)
    let viewport = Viewport.showing(state.trail.points, aspect: aspect, previous: state.viewport)
    state.viewport = viewport
    var cells = [[Mark]](repeating: [Mark](repeating: .empty, count: width), count: height)
    func set(_ x: Double, _ y: Double, _ mark: Mark) {
      guard let cell = viewport.cell(x: x, y: y, columns: width, rows: height) else { return }
      cells[cell.row][cell.column] = mark
    }
    drawGrid(viewport, set)
    set(0, 0, .neutral)
    for point in state.trail.points {
      let age = now - point.seenAtNanoseconds
      set(point.x, point.y, age < Trail.lifetimeNanoseconds / 3 ? .recent : .old)
    }
    if let newest = state.trail.points.last { set(newest.x, newest.y, .dot) }
    return framed(cells, viewport, style)
  }

  /// Marks every half of the window, so that the eye sees the window jump.
  private static func drawGrid(_ viewport: Viewport, _ set: (Double, Double, Mark) -> Void) {
    let step = viewport.halfWidth / 2
    let acrossFirst = ((viewport.centreX - viewport.halfWidth) / step).rounded(.up)
    let upFirst = ((viewport.centreY - viewport.halfHeight) / step).rounded(.up)
    var across = acrossFirst
    while across * step <= viewport.centreX + viewport.halfWidth {
      var up = upFirst
      while up * step <= viewport.centreY + viewport.halfHeight {
        set(across * step, up * step, .grid)
        up += 1
      }
      across += 1
    }
  }

  private static func framed(_ cells: [[Mark]], _ viewport: Viewport, _ style: PictureStyle) -> [String] {
    let ink = Ink(style)
    let (corners, bar, side) =
      style.hasUnicode ? (["┌", "┐", "└", "┘"], "─", "│") : (["+", "+", "+", "+"], "-", "|")
    let width = cells[0].count
    let left = DecimalText.fixed(viewport.centreX - viewport.halfWidth, digits: 0)
    let right = DecimalText.fixed(viewport.centreX + viewport.halfWidth, digits: 0)
    let scale = cut("x \(left) to \(right)", width)
    let filler = String(repeating: bar, count: width - scale.count)
    let wall = ink.faint(side)
    return [ink.faint(corners[0] + scale + filler + corners[1])]
      + cells.map { wall + text(of: $0, style, ink) + wall }
      + [ink.faint(corners[2] + String(repeating: bar, count: width) + corners[3])]
  }

  private static func text(of row: [Mark], _ style: PictureStyle, _ ink: Ink) -> String {
    var line = ""
    var start = 0
    // Run by run, so that the escape sequences stay few.
    while start < row.count {
      let mark = row[start]
      let end = row[start...].firstIndex { $0 != mark } ?? row.count
      line += run(of: mark, end - start, style, ink)
      start = end
    }
    return line
  }

  private static func run(of mark: Mark, _ count: Int, _ style: PictureStyle, _ ink: Ink) -> String {
    func times(_ unicode: String, _ ascii: String) -> String {
      String(repeating: style.hasUnicode ? unicode : ascii, count: count)
    }
    switch mark {
    case .empty: return times(" ", " ")
    case .grid: return ink.faint(times("·", ":"))
    case .neutral: return ink.faint(times("+", "+"))
    case .old: return ink.faint(times("∘", "."))
    case .recent: return times("•", "o")
    case .dot: return ink.strong(times("●", "@"))
    }
  }
}
