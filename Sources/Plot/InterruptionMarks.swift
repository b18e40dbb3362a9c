import Linux

/// Where samples are missing: a band, or a line where that is as thin as one; a clock that was set back is a line of
/// its own kind.
struct InterruptionMarks {
  let record: PlotRecord

  func draw(on canvas: Canvas, _ axes: Axes) {
    func line(_ place: Double) -> [Point] {
      [Point(place, axes.inner.top), Point(place, axes.inner.bottom)]
    }
    var edges: [[Point]] = []
    for gap in record.gaps.all {
      let (start, end) = (axes.x.pixel(gap.start), axes.x.pixel(gap.end))
      canvas.fill(Box(start, axes.inner.top, max(end, start + 1), axes.inner.bottom), .gap)
      edges += [line(start), line(end)]
    }
    canvas.stroke(edges, .gapEdge, width: 1, dash: [4, 4])
    let steps = record.clockSteps.all.map { line(axes.x.pixel($0.end)) }
    canvas.stroke(steps, .alert, width: 1.25, dash: [8, 3, 2, 3])
  }

  func explain(in legend: inout Legend) {
    let (gaps, steps) = (record.gaps.count, record.clockSteps.count)
    if gaps > 0 { legend.add(.area, .gap, gaps.counted("gap")) }
    if steps > 0 { legend.add(.dashDotted, .alert, steps.counted("clock step")) }
  }
}
