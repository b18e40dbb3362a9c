import Motion

/// Layers and motion effects that somebody wants numbers for; checked, so that what follows from it is finite.
///
/// The layers are DVParallaxView's, the effects UIKit's UIInterpolatingMotionEffect. `docs/scenes.md` has the formulas.
package struct SceneDescription: Equatable, Sendable {
  /// Points.
  package struct Size: Equatable, Sendable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }

  /// What is seen of the scene; there wherever there is a background.
  package var bounds: Size?
  /// Not smaller than the bounds.
  package var background: Size?
  /// The depth of each layer, from far to near; nil: its place among them says it.
  package var depths: [Double?] = []
  /// Whether something is in front of everything, which moves the other way.
  package var hasFront = false
  /// d: how much less the content moves than the offset.
  package var distanceFactor: Double = 2
  /// f: how much less what is in front does.
  package var frontFactor: Double = 20
  /// In the order given, those of groups in their places.
  package private(set) var effects: [MotionEffect] = []
  /// What `effects` come to, by key path in the order of its first effect.
  private(set) var values = InterpolatedValues()

  package init() {}

  /// Sorts the effects by what they move.
  mutating func take(_ effects: [MotionEffect]) {
    self.effects = effects
    values = InterpolatedValues(effects)
  }
}

/// What one effect makes of tilt: the mean of its ends, and half their distance to each side.
package struct MotionEffect: Equatable, Sendable {
  package enum Axis: String, CaseIterable, Sendable { case horizontal, vertical }

  package var keyPath: String
  package var axis: Axis
  package var minimum: Double
  package var maximum: Double
}
