/// The part of the plane of offsets that the picture shows.
///
/// Offsets have no bound by default, so the picture is a window that follows the dot: it stays where it is
/// while the trail fits, so that motion is seen as motion, and jumps by half its size when it does not.
struct Viewport: Equatable, Sendable {
  /// The middle of the picture, points.
  var centreX: Double
  var centreY: Double
  /// From the middle to the edge, points; of 20, 50, 100, 200 …
  var halfWidth: Double
  var halfHeight: Double

  /// The smallest window that is ever shown, points to each side.
  static let smallest = 20.0
  /// Nothing beyond this is drawn, points.
  static let largest = 1e9

  /// A window for `points` in a picture that is `aspect` times as high as it is wide (0.05–20), the
  /// `previous` one where it still serves.
  static func showing(_ points: [TrailPoint], aspect: Double, previous: Viewport?) -> Viewport {
    let xs = points.map { clamp($0.x) }
    let ys = points.map { clamp($0.y) }
    guard let left = xs.min(), let right = xs.max(), let bottom = ys.min(), let top = ys.max() else {
      return previous ?? Viewport(around: 0, 0, half: smallest, aspect: aspect)
    }
    let needed = max((right - left) / 2, (top - bottom) / 2 / aspect)
    if var kept = previous {
      kept.halfHeight = kept.halfWidth * aspect
      let fits =
        left >= kept.centreX - kept.halfWidth && right <= kept.centreX + kept.halfWidth
        && bottom >= kept.centreY - kept.halfHeight && top <= kept.centreY + kept.halfHeight
      let tooWide = kept.halfWidth > smallest && needed < kept.halfWidth / 8
      if fits, !tooWide { return kept }
    }
    // Room to move: the trail may fill two thirds of a new window.
    let half = step(notBelow: max(smallest, needed * 1.5))
    return Viewport(
      around: nearest((left + right) / 2, multipleOf: half / 2),
      nearest((bottom + top) / 2, multipleOf: half * aspect / 2), half: half, aspect: aspect)
  }

  private init(around x: Double, _ y: Double, half: Double, aspect: Double) {
    centreX = x
    centreY = y
    halfWidth = half
    halfHeight = half * aspect
  }

  private static func clamp(_ value: Double) -> Double {
    value.isFinite ? min(max(value, -largest), largest) : 0
  }

  private static func nearest(_ value: Double, multipleOf unit: Double) -> Double {
    (value / unit).rounded() * unit
  }

  /// The next of 1, 2, 5, 10, 20, 50 …
  static func step(notBelow value: Double) -> Double {
    var decade = 1.0
    while decade * 10 <= value { decade *= 10 }
    for factor in [1.0, 2.0, 5.0] where decade * factor >= value { return decade * factor }
    return decade * 10
  }

  /// Column and row (0 at the top) of a place in a picture of `columns` × `rows` cells; nil: outside.
  func cell(x: Double, y: Double, columns: Int, rows: Int) -> (column: Int, row: Int)? {
    let across = (Self.clamp(x) - centreX + halfWidth) / (2 * halfWidth)
    let down = (centreY + halfHeight - Self.clamp(y)) / (2 * halfHeight)
    guard across >= 0, across <= 1, down >= 0, down <= 1, columns > 0, rows > 0 else { return nil }
    return (
      min(columns - 1, Int(across * Double(columns))), min(rows - 1, Int(down * Double(rows)))
    )
  }
}
