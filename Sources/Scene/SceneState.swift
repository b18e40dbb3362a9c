import Motion

/// A scene that somebody looks at, and where it stands: e, the scene's own offset.
///
/// e is not the pipeline's offset less what it was at some moment: a background that has come to its edge refuses
/// steps, and what is refused is lost. It gets the pipeline's own decay, steps, pans and limit instead.
package struct SceneState: Equatable, Sendable {
  package let description: SceneDescription
  /// e: points, x to the right, y up; not scaled by reduced motion.
  package private(set) var offset = Offset.neutral
  private let divisor: Double
  private let room: SceneDescription.Size

  package init(_ description: SceneDescription, offset: Offset = .neutral) {
    self.description = description
    self.offset = offset
    divisor = description.backgroundDivisor
    room = description.room
  }

  /// What one update did. Costs a moment for each of its repetitions, and allocates nothing.
  package mutating func apply(_ movement: Movement) {
    offset.x *= movement.kept
    offset.y *= movement.kept
    var left = movement.repetitions
    while left > 0 {
      let before = offset
      take(
        x: movement.bound.moved(offset.x, by: movement.step.x),
        y: movement.bound.moved(offset.y, by: movement.step.y))
      // Neither the step nor the limit changes any more.
      if offset == before { return }
      left -= 1
    }
  }

  /// A step by hand: points in screen direction, y down.
  package mutating func pan(x: Double, y: Double, within bound: OffsetBound) {
    take(x: bound.clamped(offset.x + x), y: bound.clamped(offset.y - y))
  }

  package mutating func recenter() { offset = .neutral }

  /// Goes where the background still fills the bounds, on each axis for itself.
  @inline(__always)
  private mutating func take(x: Double, y: Double) {
    if !(x.magnitude / divisor > room.width) { offset.x = x }
    if !(y.magnitude / divisor > room.height) { offset.y = y }
  }
}
