/// The part of the plane of offsets that the picture shows.
///
/// Neutral is always in its middle. It grows to twice and more when the dot leaves it, and comes closer only
/// when the trail needs far less of it, so that it seldom changes and motion is seen as motion.
struct Viewport: Equatable, Sendable {
  /// From the middle to the edge, points; of 50, 100, 200 …
  var halfWidth: Double
  var halfHeight: Double

  /// The smallest window that is ever shown, points to each side.
  static let smallest = 50.0
  /// Nothing beyond this is drawn, points.
  static let largest = 1e9

  /// A window for `points` in a picture that is `aspect` times as high as it is wide (0.05–20), the
  /// `previous` one where it still serves.
  static func showing(_ points: [TrailPoint], aspect: Double, previous: Viewport?) -> Viewport {
    let needed = points.reduce(0.0) { most, point in
      max(most, clamp(point.x).magnitude, clamp(point.y).magnitude / aspect)
    }
    if let previous, needed <= previous.halfWidth, needed > previous.halfWidth / 8 || points.isEmpty {
      return Viewport(half: previous.halfWidth, aspect: aspect)
    }
    // Room to move: the dot may be at two thirds of a new window.
    return Viewport(half: step(notBelow: max(smallest, needed * 1.5)), aspect: aspect)
  }

  private init(half: Double, aspect: Double) {
    halfWidth = half
    halfHeight = half * aspect
  }

  private static func clamp(_ value: Double) -> Double {
    value.isFinite ? min(max(value, -largest), largest) : 0
  }

  /// The next of 1, 2, 5, 10, 20, 50 …; `value` where there is none.
  static func step(notBelow value: Double) -> Double {
    guard value <= 1e300 else { return value }
    var decade = 1.0
    while decade * 10 <= value { decade *= 10 }
    for factor in [1.0, 2.0, 5.0] where decade * factor >= value { return decade * factor }
    return decade * 10
  }

  /// Column and row (0 at the top) of a place in a picture of `columns` × `rows` cells; nil: outside.
  func cell(x: Double, y: Double, columns: Int, rows: Int) -> (column: Int, row: Int)? {
    let across = (Self.clamp(x) + halfWidth) / (2 * halfWidth)
    let down = (halfHeight - Self.clamp(y)) / (2 * halfHeight)
    guard across >= 0, across <= 1, down >= 0, down <= 1, columns > 0, rows > 0 else { return nil }
    return (
      min(columns - 1, Int(across * Double(columns))), min(rows - 1, Int(down * Double(rows)))
    )
  }
}
