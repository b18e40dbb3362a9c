import Linux

/// The offset over time, a mark for each update, and what is missing.
struct OffsetPanel {
  let record: PlotRecord
  let facts: PlotFacts

  var legend: Legend {
    var legend = Legend("Offset")
    legend.add(.line, .x, "x, from the turn about y")
    legend.add(.line, .y, "y, from the turn about x")
    legend.add(.tick, .update, record.updates.counted("update"))
    InterruptionMarks(record: record).explain(in: &legend)
    if let text = facts.droppedText { legend.add(.none, .quiet, text) }
    return legend
  }

  var range: AxisRange {
    var (low, high) = (Double.infinity, -Double.infinity)
    for bin in record.offsets.bins {
      low = min(low, bin.reach.x.0, bin.reach.y.0)
      high = max(high, bin.reach.x.1, bin.reach.y.1)
    }
    if low > high { (low, high) = (0, 0) }
    // Where nothing moves, a point is more than nothing.
    if low == high { (low, high) = (low - 1, high + 1) }
    // Room for the marks below the curves.
    let range = AxisRange(low, high).padded(by: 0.05)
    return AxisRange(range.low - 0.1 * range.span, range.high)
  }

  func draw(on canvas: inout Canvas, _ axes: Axes) {
    axes.drawGrid(on: canvas)
    InterruptionMarks(record: record).draw(on: canvas, axes)
    drawUpdates(on: canvas, axes)
    let columns = Curves.columns(record.offsets.bins, axes.x) { $0.first.time }
    for (axis, colour) in [(\OffsetBin.Point.x, Colour.x), (\OffsetBin.Point.y, Colour.y)] {
      drawPauses(columns, axis, colour, on: canvas, axes)
      let lines = Curves.lines(columns, beginsStream: \.beginsStream) { bin in
        bin.points.map { Point(axes.x.pixel($0.time), axes.y.pixel($0[keyPath: axis])) }
      }
      canvas.stroke(lines, colour, width: 2)
    }
    axes.drawFrame(on: &canvas, x: "time (s)", y: "offset (points)")
  }

  /// Where nothing is known the offset stays: from one stream to the next.
  private func drawPauses(
    _ columns: [OffsetBin], _ axis: KeyPath<OffsetBin.Point, Double>, _ colour: Colour, on canvas: Canvas,
    _ axes: Axes
  ) {
    let pauses = zip(columns, columns.dropFirst()).filter { $0.1.beginsStream }.map { before, after in
      let level = axes.y.pixel(before.last[keyPath: axis])
      let end = axes.x.pixel(after.first.time)
      return [
        Point(axes.x.pixel(before.last.time), level), Point(end, level),
        Point(end, axes.y.pixel(after.first[keyPath: axis])),
      ]
    }
    canvas.stroke(pauses, colour, width: 1.25, dash: [3, 3])
  }

  /// A mark for each, as far as pixels can tell them apart.
  private func drawUpdates(on canvas: Canvas, _ axes: Axes) {
    var last = -Double.infinity
    var marks: [[Point]] = []
    for bin in record.updateTimes.bins {
      let place = Canvas.snapped(axes.x.pixel(bin.time))
      guard place - last >= 0.5 else { continue }
      last = place
      marks.append([Point(place, axes.inner.bottom - 10 * canvas.scale), Point(place, axes.inner.bottom)])
    }
    canvas.stroke(marks, .update, width: 0.75)
  }
}
