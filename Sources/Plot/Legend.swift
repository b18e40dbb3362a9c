/// What colours and signs mean: entries beside a panel's heading, in as many rows as they need.
struct Legend {
  enum Sign { case line, dashed, dashDotted, area, tick, ring, square, gradient, cross, none }

  struct Entry {
    let sign: Sign
    let colour: Colour
    let text: String
  }

  let heading: String
  var entries: [Entry] = []

  init(_ heading: String) { self.heading = heading }

  mutating func add(_ sign: Sign, _ colour: Colour, _ text: String) {
    entries.append(Entry(sign: sign, colour: colour, text: text))
  }

  /// All of it in a sentence.
  var description: String { "\(heading): \(entries.map(\.text).joined(separator: ", "))." }

  /// Pixels that it takes in `width` pixels.
  func height(on canvas: Canvas, width: Double) -> Double {
    let rows = placed(on: canvas, width: width).last.map { $0.row + 1 } ?? 1
    return Double(rows) * canvas.lineHeight(.heading) + 6 * canvas.scale
  }

  /// Draws it into the top of `box`.
  func draw(on canvas: inout Canvas, in box: Box) {
    let rowHeight = canvas.lineHeight(.heading)
    let heading = canvas.fitted(heading, .heading, in: box.width)
    canvas.write(heading, .heading, at: Point(box.left, box.top + rowHeight / 2))
    for one in placed(on: canvas, width: box.width) {
      let middle = box.top + (Double(one.row) + 0.5) * rowHeight
      let left = box.left + one.left
      let half = 7 * canvas.scale
      let sign = Box(left, middle - half, left + signWidth(one.entry, canvas), middle + half)
      draw(one.entry, on: canvas, in: sign)
      canvas.write(one.text, .legend, at: Point(sign.right + space(one.entry, canvas), middle))
    }
  }

  private struct Placed {
    let entry: Entry
    let text: String
    let row: Int
    let left: Double
  }

  private func signWidth(_ entry: Entry, _ canvas: Canvas) -> Double {
    switch entry.sign {
    case .none: 0
    case .gradient: 56 * canvas.scale
    case .line, .dashed, .dashDotted, .area: 26 * canvas.scale
    case .tick, .ring, .square, .cross: 12 * canvas.scale
    }
  }

  /// Between sign and text.
  private func space(_ entry: Entry, _ canvas: Canvas) -> Double {
    entry.sign == .none ? 0 : 6 * canvas.scale
  }

  /// From left to right behind the heading, then in rows below it.
  private func placed(on canvas: Canvas, width: Double) -> [Placed] {
    var placed: [Placed] = []
    var row = 0
    var left = canvas.width(of: heading, .heading) + 24 * canvas.scale
    for entry in entries {
      let before = signWidth(entry, canvas) + space(entry, canvas)
      let text = canvas.fitted(entry.text, .legend, in: width - before)
      let needed = before + canvas.width(of: text, .legend)
      if left + needed > width {
        row += 1
        left = 0
      }
      placed.append(Placed(entry: entry, text: text, row: row, left: left))
      left += needed + 20 * canvas.scale
    }
    return placed
  }

  private func draw(_ entry: Entry, on canvas: Canvas, in box: Box) {
    let across = [[Point(box.left, box.middleY), Point(box.right, box.middleY)]]
    switch entry.sign {
    case .none: break
    case .line: canvas.stroke(across, entry.colour, width: 3)
    case .dashed: canvas.stroke(across, entry.colour, width: 1.5, dash: [6, 4])
    case .dashDotted: canvas.stroke(across, entry.colour, width: 1.5, dash: [8, 3, 2, 3])
    case .area: canvas.fill(box, entry.colour)
    case .tick:
      canvas.stroke(
        [[Point(box.middleX, box.top), Point(box.middleX, box.bottom)]], entry.colour, width: 1.5)
    case .ring: canvas.ring(Point(box.middleX, box.middleY), radius: 6, entry.colour)
    case .square: canvas.square(Point(box.middleX, box.middleY), radius: 6, entry.colour)
    case .cross: canvas.cross(Point(box.middleX, box.middleY), radius: 6, entry.colour)
    case .gradient:
      // Each over the rest of the one before: no seams.
      for step in 0..<28 {
        let start = Point(box.left + Double(step) / 28 * box.width, box.middleY)
        canvas.stroke([[start, Point(box.right, box.middleY)]], .along(Double(step) / 27), width: 4)
      }
    }
  }
}
