import Motion

/// The offset in a span of time: where it came from, where it went, and how far out it was in between.
struct OffsetBin: Binned {
  struct Point: Equatable, Sendable {
    /// Seconds.
    var time: Double
    /// Points, to the right.
    var x: Double
    /// Points, up.
    var y: Double
  }

  private(set) var first: Point
  private(set) var last: Point
  private var leftmost: Point
  private var rightmost: Point
  private var lowest: Point
  private var highest: Point
  /// Whether a stream began with its first.
  let beginsStream: Bool

  init(_ offset: Offset, at time: Double, beginsStream: Bool) {
    let point = Point(time: time, x: offset.x, y: offset.y)
    (first, last, leftmost, rightmost, lowest, highest) = (point, point, point, point, point, point)
    self.beginsStream = beginsStream
  }

  mutating func append(_ later: OffsetBin) {
    last = later.last
    if later.leftmost.x < leftmost.x { leftmost = later.leftmost }
    if later.rightmost.x > rightmost.x { rightmost = later.rightmost }
    if later.lowest.y < lowest.y { lowest = later.lowest }
    if later.highest.y > highest.y { highest = later.highest }
  }

  /// Those that differ, in the order of time.
  var points: [Point] {
    let sorted = [leftmost, rightmost, lowest, highest].sorted { $0.time < $1.time }
    var points = [first]
    for point in sorted + [last] where point.time > points[points.count - 1].time { points.append(point) }
    return points
  }

  /// The smallest and largest x and y.
  var reach: (x: (Double, Double), y: (Double, Double)) {
    ((leftmost.x, rightmost.x), (lowest.y, highest.y))
  }
}
