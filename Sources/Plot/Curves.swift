/// Bins as lines in pixels.
enum Curves {
  /// One bin a column of pixels, so that what is written is bounded by the picture's size.
  static func columns<Bin: Binned>(_ bins: [Bin], _ scale: Scale, time: (Bin) -> Double) -> [Bin] {
    var columns: [Bin] = []
    var last = -Double.infinity
    for bin in bins {
      let column = scale.pixel(time(bin)).rounded(.down)
      if column == last { columns[columns.count - 1].append(bin) } else { columns.append(bin) }
      last = column
    }
    return columns
  }

  /// Lines through the bins' points; a new one where a stream begins.
  static func lines<Bin>(
    _ bins: [Bin], beginsStream: (Bin) -> Bool, points: (Bin) -> [Point]
  ) -> [[Point]] {
    var lines: [[Point]] = []
    for bin in bins {
      if lines.isEmpty || beginsStream(bin) { lines.append([]) }
      lines[lines.count - 1] += points(bin)
    }
    return lines.map { straightened(thinned($0, by: 0.25)) }
  }

  /// Without the points in the midst of a level line, as fine as is drawn.
  static func straightened(_ points: [Point]) -> [Point] {
    var result: [Point] = []
    for point in points {
      let count = result.count
      let level = Canvas.snapped(point.y)
      if count > 1, Canvas.snapped(result[count - 1].y) == level, Canvas.snapped(result[count - 2].y) == level
      {
        result[count - 1] = point
      } else {
        result.append(point)
      }
    }
    return result
  }

  /// Without points that are no farther than `distance` pixels from the one before; the ends stay. One alone
  /// becomes a line that can be seen.
  static func thinned(_ points: [Point], by distance: Double) -> [Point] {
    guard var kept = points.first, let last = points.last else { return [] }
    var result = [kept]
    for point in points.dropFirst() {
      let (dx, dy) = (point.x - kept.x, point.y - kept.y)
      guard dx * dx + dy * dy > distance * distance else { continue }
      result.append(point)
      kept = point
    }
    if kept != last { result.append(last) }
    return result.count == 1 ? [Point(kept.x - 0.5, kept.y), Point(kept.x + 0.5, kept.y)] : result
  }
}
