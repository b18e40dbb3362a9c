import Motion

/// Rates over time, with the band in which they move nothing, and the bias that was taken off them.
struct RatesPanel {
  let record: PlotRecord
  let facts: PlotFacts

  private var hasBias: Bool { record.rates.bins.contains { $0.bias != .zero } }

  var legend: Legend {
    var legend = Legend("Rates")
    legend.add(.line, .x, "x")
    legend.add(.line, .y, "y")
    legend.add(.line, .z, "z (moves nothing)")
    if facts.threshold > 0 {
      let text = "threshold ±\(facts.threshold.plain) rad/s"
      legend.add(.area, .threshold, showsBand ? text : "\(text), farther out")
    }
    if hasBias { legend.add(.dashed, .quiet, "bias taken off, each in its colour") }
    return legend
  }

  /// Of rates and bias, and 0.
  private var extremes: (low: Double, high: Double) {
    var (low, high) = (0.0, 0.0)
    for bin in record.rates.bins {
      for axis in [bin.x, bin.y, bin.z] {
        low = min(low, axis.least.value)
        high = max(high, axis.greatest.value)
      }
      for value in bin.bias.numbers {
        low = min(low, value)
        high = max(high, value)
      }
    }
    return (low, high)
  }

  /// The band is seen whole, unless it would leave no room for the curves.
  private var showsBand: Bool {
    let (low, high) = extremes
    let reach = max(-low, high)
    return reach == 0 || facts.threshold <= 4 * reach
  }

  var range: AxisRange {
    var (low, high) = extremes
    if showsBand {
      let band = facts.threshold * 1.15
      (low, high) = (min(low, -band), max(high, band))
    }
    return AxisRange(low, high).padded(by: 0.04)
  }

  func draw(on canvas: inout Canvas, _ axes: Axes) {
    if facts.threshold > 0 { drawBand(on: canvas, axes) }
    axes.drawGrid(on: canvas)
    InterruptionMarks(record: record).draw(on: canvas, axes)
    let columns = Curves.columns(record.rates.bins, axes.x) { $0.x.first.time }
    // What moves the picture lies on top.
    for (axis, colour) in [(\RateBin.z, Colour.z), (\RateBin.x, Colour.x), (\RateBin.y, Colour.y)] {
      let lines = Curves.lines(columns, beginsStream: \.beginsStream) { bin in
        bin[keyPath: axis].points.map { Point(axes.x.pixel($0.time), axes.y.pixel($0.value)) }
      }
      canvas.stroke(lines, colour, width: 1.5)
    }
    if facts.threshold > 0 { drawEdges(on: canvas, axes) }
    if hasBias { drawBias(columns, on: canvas, axes) }
    axes.drawFrame(on: &canvas, x: "time (s)", y: "rate (rad/s)")
  }

  private func drawBand(on canvas: Canvas, _ axes: Axes) {
    let (low, high) = (axes.y.pixel(-facts.threshold), axes.y.pixel(facts.threshold))
    canvas.fill(Box(axes.inner.left, high, axes.inner.right, low), .threshold)
  }

  /// On top: where everything is noise, they still show where it begins to move something.
  private func drawEdges(on canvas: Canvas, _ axes: Axes) {
    let (low, high) = (axes.y.pixel(-facts.threshold), axes.y.pixel(facts.threshold))
    let edges = [high, low].filter { $0 > axes.inner.top && $0 < axes.inner.bottom }
    canvas.stroke(
      edges.map { [Point(axes.inner.left, $0), Point(axes.inner.right, $0)] }, .thresholdEdge, width: 1)
  }

  private func drawBias(_ columns: [RateBin], on canvas: Canvas, _ axes: Axes) {
    for (axis, colour) in [(\Vector3.x, Colour.x), (\Vector3.y, Colour.y), (\Vector3.z, Colour.z)] {
      let points = columns.flatMap { bin in
        let value = axes.y.pixel(bin.bias[keyPath: axis])
        return [Point(axes.x.pixel(bin.x.first.time), value), Point(axes.x.pixel(bin.x.last.time), value)]
      }
      canvas.stroke([Curves.straightened(points)], colour, width: 1.25, dash: [7, 4])
    }
  }
}
