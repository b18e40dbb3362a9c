/// Where samples are missing: a band, or a line where that is as thin as one; a clock that was set back is a line of
/// its own kind.
struct InterruptionMarks {
  let record: PlotRecord

  func draw(on canvas: Canvas, _ axes: Axes) {
    var edges: [[Point]] = []
    var steps: [[Point]] = []
    for one in record.interruptions.all {
      let (start, end) = (axes.x.pixel(one.start), axes.x.pixel(one.end))
      let line = [Point(end, axes.inner.top), Point(end, axes.inner.bottom)]
      if one.isClockStep {
        steps.append(line)
      } else {
        canvas.fill(Box(start, axes.inner.top, max(end, start + 1), axes.inner.bottom), .gap)
        edges.append([Point(start, axes.inner.top), Point(start, axes.inner.bottom)])
        edges.append(line)
      }
    }
    canvas.stroke(edges, .gapEdge, width: 1, dash: [4, 4])
    canvas.stroke(steps, .alert, width: 1.25, dash: [8, 3, 2, 3])
  }

  func explain(in legend: inout Legend) {
    let all = record.interruptions.all
    let gaps = record.gaps
    if gaps > 0 { legend.add(.area, .gap, Figure.count(gaps, "gap")) }
    if all.contains(where: \.isClockStep) {
      legend.add(.dashed, .alert, Figure.count(record.clockSteps, "clock step"))
    }
  }
}
