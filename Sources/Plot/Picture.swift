/// The whole picture: a head that says what it shows, rates and offset over time, and the offset's path.
package enum Picture {
  /// Draws `record`; the bytes of a file. The same record and facts give the same bytes.
  package static func bytes(
    of record: PlotRecord, _ facts: PlotFacts, _ format: PictureFormat, _ size: PictureSize
  ) throws(PlotError) -> [UInt8] {
    let (canvas, description) = try drawn(record, facts, format, size)
    let bytes = try canvas.finish()
    guard format == .svg else { return bytes }
    let title = facts.isSynthetic ? "\(facts.title), SYNTHETIC" : facts.title
    return SVGDocument.completed(bytes, title: title, description: description, texts: canvas.texts)
  }

  /// The canvas with everything on it, and what it shows in words.
  static func drawn(
    _ record: PlotRecord, _ facts: PlotFacts, _ format: PictureFormat, _ size: PictureSize
  ) throws(PlotError) -> (Canvas, description: String) {
    var canvas = try Canvas(format, size)
    let margin = 18 * canvas.scale
    let page = Box(0, 0, Double(size.width), Double(size.height)).inset(margin, margin, margin, margin)
    let head = PlotHead(facts: facts)
    let top = head.draw(on: &canvas, in: page)
    let layout = Layout(page.inset(0, top - page.top + 10 * canvas.scale, 0, 0), gap: 16 * canvas.scale)

    let time = record.timeRange
    let rates = RatesPanel(record: record, facts: facts)
    let offset = OffsetPanel(record: record, facts: facts)
    let path = PathPanel(record: record, facts: facts, showsNeutral: record.beginsAtStart)
    let ratesBox = Self.body(layout.rates, rates.legend, on: &canvas)
    let offsetBox = Self.body(layout.offset, offset.legend, on: &canvas)
    // One margin: so the times of both are below each other.
    let left = max(
      Axes.margin(canvas, in: ratesBox, y: rates.range), Axes.margin(canvas, in: offsetBox, y: offset.range))
    rates.draw(on: &canvas, Axes(canvas, in: ratesBox, margin: left, x: time, y: rates.range))
    offset.draw(on: &canvas, Axes(canvas, in: offsetBox, margin: left, x: time, y: offset.range))
    Self.draw(path, in: Self.body(layout.path, path.legend, on: &canvas), on: &canvas)
    let legends = [rates.legend, offset.legend, path.legend].map(\.description)
    return (canvas, (facts.lines.map { "\($0)." } + legends).joined(separator: " "))
  }

  /// Draws a panel's legend; what is left of its box.
  private static func body(_ box: Box, _ legend: Legend, on canvas: inout Canvas) -> Box {
    let height = legend.height(on: canvas, width: box.width)
    legend.draw(on: &canvas, in: box)
    return box.inset(0, height, 0, 0)
  }

  private static func draw(_ path: PathPanel, in box: Box, on canvas: inout Canvas) {
    // The ranges follow from the frame's size, and that from the width of the ranges' numbers: twice round.
    var margin = 40 * canvas.scale
    for _ in 0..<2 {
      let inner = Axes.inner(canvas, in: box, margin: margin)
      margin = Axes.margin(canvas, in: box, y: path.ranges(width: inner.width, height: inner.height).y)
    }
    let inner = Axes.inner(canvas, in: box, margin: margin)
    let (x, y) = path.ranges(width: inner.width, height: inner.height)
    path.draw(on: &canvas, Axes(canvas, in: box, margin: margin, x: x, y: y))
  }
}

/// Where the panels are: the path beside the others where there is room, else below them.
struct Layout {
  let rates: Box
  let offset: Box
  let path: Box

  init(_ box: Box, gap: Double) {
    let isWide = box.width > 1.2 * box.height
    let right = isWide ? (box.left + 0.64 * box.width).rounded() : box.right
    let bottom = isWide ? box.bottom : (box.top + 0.62 * box.height).rounded()
    let middle = ((box.top + bottom) / 2).rounded()
    rates = Box(box.left, box.top, right, middle - gap / 2)
    offset = Box(box.left, middle + gap / 2, right, bottom)
    path =
      isWide
      ? Box(right + gap, box.top, box.right, box.bottom) : Box(box.left, bottom + gap, box.right, box.bottom)
  }
}
