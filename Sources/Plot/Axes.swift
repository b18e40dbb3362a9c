/// A panel's axes: the frame with grid, ticks, numbers and names around what is drawn into it.
struct Axes {
  /// All that the panel has below its legend.
  let outer: Box
  /// Inside of the frame.
  let inner: Box
  let x: Scale
  let y: Scale
  private let xTicks: Ticks
  private let yTicks: Ticks

  /// - Parameters:
  ///   - outer: where frame, numbers and names have room.
  ///   - margin: pixels left of the frame, of `margin(for:…)`.
  init(_ canvas: Canvas, in outer: Box, margin: Double, x xRange: AxisRange, y yRange: AxisRange) {
    self.outer = outer
    inner = Self.inner(canvas, in: outer, margin: margin)
    x = Scale(range: xRange, start: inner.left, end: inner.right)
    y = Scale(range: yRange, start: inner.bottom, end: inner.top)
    xTicks = Ticks(xRange, atMost: Int(inner.width / (90 * canvas.scale)))
    yTicks = Self.yTicks(canvas, yRange, height: inner.height)
  }

  /// Inside of the frame of axes in `outer`.
  static func inner(_ canvas: Canvas, in outer: Box, margin: Double) -> Box {
    let line = canvas.lineHeight(.label)
    return outer.inset(margin, line / 2, 14 * canvas.scale, 2 * line + 8 * canvas.scale)
  }

  /// Pixels that names and numbers need left of a frame.
  static func margin(_ canvas: Canvas, in outer: Box, y: AxisRange) -> Double {
    let ticks = yTicks(canvas, y, height: inner(canvas, in: outer, margin: 0).height)
    let widest = ticks.ticks.map { canvas.width(of: $0.label, .label) }.max() ?? 0
    return widest + canvas.lineHeight(.label) + 14 * canvas.scale
  }

  private static func yTicks(_ canvas: Canvas, _ range: AxisRange, height: Double) -> Ticks {
    Ticks(range, atMost: Int(height / (44 * canvas.scale)))
  }

  /// What is below the curves.
  func drawGrid(on canvas: Canvas) {
    let columns = xTicks.ticks.map { x.pixel($0.value) }.map {
      [Point($0, inner.top), Point($0, inner.bottom)]
    }
    let rows = yTicks.ticks.map { y.pixel($0.value) }.map { [Point(inner.left, $0), Point(inner.right, $0)] }
    canvas.stroke(columns + rows, .grid, width: 1)
    if y.range.low < 0, y.range.high > 0 {
      canvas.stroke([[Point(inner.left, y.pixel(0)), Point(inner.right, y.pixel(0))]], .zero, width: 1)
    }
  }

  /// The frame and what is around it.
  func drawFrame(on canvas: inout Canvas, x xName: String, y yName: String) {
    canvas.stroke(inner, .frame, width: 1)
    let line = canvas.lineHeight(.label)
    let below = inner.bottom + 4 * canvas.scale + line / 2
    var end = -Double.infinity
    for tick in xTicks.ticks {
      let half = canvas.width(of: tick.label, .label) / 2
      let middle = min(max(x.pixel(tick.value), outer.left + half), outer.right - half)
      guard middle - half > end + 8 * canvas.scale else { continue }
      end = middle + half
      canvas.write(tick.label, .label, at: Point(middle, below), .middle)
    }
    for tick in yTicks.ticks {
      let place = Point(inner.left - 7 * canvas.scale, y.pixel(tick.value))
      canvas.write(tick.label, .label, at: place, .end)
    }
    canvas.write(
      canvas.fitted(xName, .label, in: inner.width), .label, at: Point(inner.middleX, below + line), .middle)
    canvas.write(
      canvas.fitted(yName, .label, in: inner.height), .label,
      at: Point(outer.left + line / 2, inner.middleY), .middle, upright: true)
  }
}
