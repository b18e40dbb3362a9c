/// The head of a picture: whose it is, and what is known of it.
struct PlotHead {
  let facts: PlotFacts

  /// Draws it into the top of `box`; where it ends.
  func draw(on canvas: inout Canvas, in box: Box) -> Double {
    var right = box.right
    var line = canvas.lineHeight(.title)
    if facts.isSynthetic { right = drawMark(on: &canvas, in: box, line) - 20 * canvas.scale }
    let title = canvas.fitted(facts.title, .title, in: right - box.left)
    canvas.write(title, .title, at: Point(box.left, box.top + line / 2))
    var top = box.top + line
    line = canvas.lineHeight(.facts)
    for text in facts.lines where !text.isEmpty {
      canvas.write(canvas.fitted(text, .facts, in: box.width), .facts, at: Point(box.left, top + line / 2))
      top += line
    }
    return top
  }

  /// That no sensor was read; the mark's left end.
  private func drawMark(on canvas: inout Canvas, in box: Box, _ line: Double) -> Double {
    let style = TextStyle(size: 18, isBold: true, colour: .paper)
    let text = "SYNTHETIC"
    let left = box.right - canvas.width(of: text, style) - 20 * canvas.scale
    canvas.fill(Box(left, box.top + 2 * canvas.scale, box.right, box.top + line - 2 * canvas.scale), .alert)
    canvas.write(text, style, at: Point(left + 10 * canvas.scale, box.top + line / 2))
    return left
  }
}
