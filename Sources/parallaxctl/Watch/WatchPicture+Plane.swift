extension WatchPicture {
  /// Draws the framed plane on `rows` rows from `top` on: the landscape, the dot and its trail.
  static func drawPlane(
    _ state: inout WatchState, on canvas: inout Canvas, top: Int, rows: Int, style: PictureStyle, now: Int64
  ) {
    let width = canvas.columns - 2
    let height = rows - 2
    state.expire(now)
    // A cell is about twice as high as it is wide.
    let aspect = min(max(2 * Double(height) / Double(width), 0.05), 20)
    let viewport = Viewport.showing(state.trail.points, aspect: aspect, previous: state.viewport)
    state.viewport = viewport
    drawFrame(viewport, on: &canvas, top: top, rows: rows, style)
    let landscape = Landscape(width: 2 * width, height: 4 * height, depths: depths(of: state))
    draw(landscape, on: &canvas, top: top + 1, width, height, style)

    func put(_ x: Double, _ y: Double, _ unicode: Unicode.Scalar, _ ascii: Unicode.Scalar, _ ink: Ink) {
      guard let cell = viewport.cell(x: x, y: y, columns: width, rows: height) else { return }
      canvas[cell.column + 1, top + 1 + cell.row] = Cell(
        character: style.hasUnicode ? unicode : ascii, ink: ink)
    }
    for point in state.trail.points {
      let isRecent = now - point.seenAtNanoseconds < Trail.lifetimeNanoseconds / 3
      if isRecent { put(point.x, point.y, "•", "o", .trail) } else { put(point.x, point.y, "∘", ".", .trail) }
    }
    put(0, 0, "+", "+", .plain)
    for part in state.scene?.parts ?? [] {
      put(part.position.x, -part.position.y, part.letter, part.letter, .plain)
    }
    if let newest = state.trail.points.last { put(newest.x, newest.y, "●", "@", .dot) }
  }

  private static func drawFrame(
    _ viewport: Viewport, on canvas: inout Canvas, top: Int, rows: Int, _ style: PictureStyle
  ) {
    let frame = style.hasUnicode ? ["┌", "┐", "└", "┘", "─", "│"] : ["+", "+", "+", "+", "-", "|"]
    let width = canvas.columns - 2
    let bar = String(repeating: frame[4], count: width)
    canvas.write(frame[0] + bar + frame[1], column: 0, row: top, .faint)
    for row in top + 1..<top + rows - 1 {
      canvas.write(frame[5], column: 0, row: row, .faint)
      canvas.write(frame[5], column: width + 1, row: row, .faint)
    }
    canvas.write(frame[2] + bar + frame[3], column: 0, row: top + rows - 1, .faint)
    let x = DecimalText.brief(viewport.halfWidth, digits: 0)
    let y = DecimalText.brief(viewport.halfHeight, digits: 1)
    let full = " x -\(x) to \(x), y -\(y) to \(y) points "
    let short = "x -\(x) to \(x)"
    let scale = full.count <= width - 1 ? full : cut(short, width)
    canvas.write(scale, column: full.count <= width - 1 ? 2 : 1, row: top, .faint)
  }

  /// A scene's own, else those of a landscape that follows the offset.
  private static func depths(of state: WatchState) -> [(x: Double, y: Double)] {
    state.scene?.depths ?? Landscape.depths(x: state.event.x, y: state.event.y)
  }

  private static func draw(
    _ landscape: Landscape, on canvas: inout Canvas, top: Int, _ width: Int, _ height: Int,
    _ style: PictureStyle
  ) {
    for row in 0..<height {
      for column in 0..<width {
        canvas[column + 1, top + row] =
          style.hasUnicode ? braille(landscape, column, row) : letter(landscape, column, row)
      }
    }
  }

  /// Two by four places in a Braille character, in the ink of the nearest that is lit.
  private static func braille(_ landscape: Landscape, _ column: Int, _ row: Int) -> Cell {
    var bits: UInt32 = 0
    var nearest = Landscape.Layer.stars
    for down in 0..<4 {
      for across in 0..<2 {
        let (layer, isLit) = landscape.look(2 * column + across, 4 * row + down)
        guard isLit else { continue }
        bits |= brailleBits[2 * down + across]
        if layer.rawValue > nearest.rawValue { nearest = layer }
      }
    }
    guard bits != 0, let scalar = Unicode.Scalar(0x2800 + bits) else { return Cell() }
    return Cell(character: scalar, ink: ink(nearest))
  }

  /// The dots of U+2800 by rows.
  private static let brailleBits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  /// One letter for what is nearest in the cell: where eight places cannot be shown.
  private static func letter(_ landscape: Landscape, _ column: Int, _ row: Int) -> Cell {
    var counts = [0, 0, 0, 0]
    var hasStar = false
    for down in 0..<4 {
      for across in 0..<2 {
        let (layer, isLit) = landscape.look(2 * column + across, 4 * row + down)
        counts[Int(layer.rawValue)] += 1
        if layer == .stars, isLit { hasStar = true }
      }
    }
    for layer in [Landscape.Layer.trees, .hills, .mountains] where counts[Int(layer.rawValue)] >= 4 {
      switch layer {
      case .trees: return Cell(character: "#", ink: ink(layer))
      case .hills: return Cell(character: ":", ink: ink(layer))
      case .mountains where counts[0] > 0: return Cell(character: "^", ink: ink(layer))
      case .mountains, .stars: return Cell()
      }
    }
    return hasStar ? Cell(character: ".", ink: .stars) : Cell()
  }

  private static func ink(_ layer: Landscape.Layer) -> Ink {
    switch layer {
    case .stars: .stars
    case .mountains: .mountains
    case .hills: .hills
    case .trees: .trees
    }
  }
}
