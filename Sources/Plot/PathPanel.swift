/// The way of the offset in the plane, with one scale for both axes.
struct PathPanel {
  let record: PlotRecord
  let facts: PlotFacts
  /// Whether neutral is of interest: not where a part is looked at.
  let showsNeutral: Bool

  /// More bins than that are no longer seen.
  private static let binLimit = 2048
  /// Colours along the way.
  private static let colours = 48

  var legend: Legend {
    var legend = Legend("Path")
    legend.add(.gradient, .quiet, "time")
    legend.add(.ring, .along(0), "start")
    legend.add(.square, .alert, "end")
    if showsNeutral { legend.add(.cross, .text, "neutral") }
    if facts.limit.isFinite {
      let isSeen = reach.map(showsLimit) ?? false
      let text = "limit ±\(facts.limit.plain)"
      legend.add(isSeen ? .dashed : .none, .limit, isSeen ? text : "\(text), farther out")
    }
    return legend
  }

  private struct Reach {
    var x: (Double, Double)
    var y: (Double, Double)
    /// From neutral.
    var extent: Double { max(-x.0, x.1, -y.0, y.1, 1e-9) }
  }

  /// Not where it would leave no room for the path.
  private func showsLimit(_ reach: Reach) -> Bool {
    facts.limit.isFinite && facts.limit <= 4 * reach.extent
  }

  /// What is to be seen of the path; nil where there is none.
  private var reach: Reach? {
    guard let first = record.offsets.bins.first else { return nil }
    var reach = Reach(x: first.reach.x, y: first.reach.y)
    if showsNeutral {
      reach.x = (min(0, reach.x.0), max(0, reach.x.1))
      reach.y = (min(0, reach.y.0), max(0, reach.y.1))
    }
    for bin in record.offsets.bins {
      reach.x = (min(reach.x.0, bin.reach.x.0), max(reach.x.1, bin.reach.x.1))
      reach.y = (min(reach.y.0, bin.reach.y.0), max(reach.y.1, bin.reach.y.1))
    }
    return reach
  }

  /// Both ranges for a frame of that size: one point is as many pixels along either.
  func ranges(width: Double, height: Double) -> (x: AxisRange, y: AxisRange) {
    var (x, y) = (AxisRange(-1, 1), AxisRange(-1, 1))
    if let reach {
      (x, y) = (AxisRange(reach.x.0, reach.x.1), AxisRange(reach.y.0, reach.y.1))
      // Where nothing moves, a point is more than nothing.
      if reach.x.0 == reach.x.1, reach.y.0 == reach.y.1 {
        (x, y) = (AxisRange(x.middle - 1, x.middle + 1), AxisRange(y.middle - 1, y.middle + 1))
      }
      if showsLimit(reach) {
        x = AxisRange(min(x.low, -facts.limit), max(x.high, facts.limit))
        y = AxisRange(min(y.low, -facts.limit), max(y.high, facts.limit))
      }
    }
    // Points per pixel.
    let unit = 1.1 * max(x.span / max(1, width), y.span / max(1, height))
    return (
      AxisRange(x.middle - unit * width / 2, x.middle + unit * width / 2),
      AxisRange(y.middle - unit * height / 2, y.middle + unit * height / 2)
    )
  }

  func draw(on canvas: inout Canvas, _ axes: Axes) {
    axes.drawGrid(on: canvas)
    if let reach, showsLimit(reach) { drawLimit(on: canvas, axes) }
    if showsNeutral { canvas.cross(Point(axes.x.pixel(0), axes.y.pixel(0)), radius: 9, .text) }
    drawPath(on: canvas, axes)
    axes.drawFrame(on: &canvas, x: "x, to the right (points)", y: "y, up (points)")
  }

  private func drawLimit(on canvas: Canvas, _ axes: Axes) {
    let limit = facts.limit
    canvas.stroke(
      Box(axes.x.pixel(-limit), axes.y.pixel(limit), axes.x.pixel(limit), axes.y.pixel(-limit)), .limit,
      width: 1.5, dash: [6, 4])
  }

  /// A line for each colour, each from where the one before it ends.
  private func drawPath(on canvas: Canvas, _ axes: Axes) {
    let points = record.offsets.reduced(to: Self.binLimit).flatMap(\.points)
    guard let first = points.first, let last = points.last else { return }
    let span = max(last.time - first.time, 1e-9)
    var line: [Point] = []
    var step = 0
    for point in points {
      let place = Point(axes.x.pixel(point.x), axes.y.pixel(point.y))
      line.append(place)
      let next = min(Int((point.time - first.time) / span * Double(Self.colours)), Self.colours - 1)
      guard next != step else { continue }
      draw(line, step, on: canvas)
      (line, step) = ([place], next)
    }
    draw(line, step, on: canvas)
    canvas.ring(Point(axes.x.pixel(first.x), axes.y.pixel(first.y)), radius: 8, .along(0))
    canvas.square(Point(axes.x.pixel(last.x), axes.y.pixel(last.y)), radius: 5.5, .alert)
  }

  private func draw(_ line: [Point], _ step: Int, on canvas: Canvas) {
    guard line.count > 1 else { return }
    let colour = Colour.along(Double(step) / Double(Self.colours - 1))
    canvas.stroke([Curves.thinned(line, by: 0.25)], colour, width: 2.5)
  }
}
