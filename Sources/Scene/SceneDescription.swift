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
  private(set) var values: [InterpolatedValue] = []

  package init() {}

  /// Sorts the effects by what they move.
  mutating func take(_ effects: [MotionEffect]) {
    self.effects = effects
    values = []
    for effect in effects {
      if let index = values.firstIndex(where: { $0.keyPath == effect.keyPath }) {
        values[index].effects.append(effect)
      } else {
        values.append(InterpolatedValue(keyPath: effect.keyPath, effects: [effect]))
      }
    }
  }
}

/// What one effect makes of tilt: the mean of its ends, and half their distance to each side.
package struct MotionEffect: Equatable, Sendable {
  package enum Axis: String, CaseIterable, Sendable { case horizontal, vertical }

  package var keyPath: String
  package var axis: Axis
  package var minimum: Double
  package var maximum: Double

  /// The value without tilt.
  var neutral: Double { (minimum + maximum) / 2 }

  /// - Parameter tilt: −1 to 1 on each axis.
  func value(at tilt: Tilt) -> Double {
    let tilt = axis == .horizontal ? tilt.x : tilt.y
    return neutral + tilt * (maximum - minimum) / 2
  }
}

/// The effects on one key path, which add up.
struct InterpolatedValue: Equatable, Sendable {
  let keyPath: String
  var effects: [MotionEffect]

  // No `for` in either: in a debug build its iterator allocates, and allocations are counted there too.

  var neutral: Double {
    var sum = effects[0].neutral
    var index = 1
    while index < effects.count {
      sum += effects[index].neutral
      index += 1
    }
    return sum
  }

  func value(at tilt: Tilt) -> Double {
    var sum = effects[0].value(at: tilt)
    var index = 1
    while index < effects.count {
      sum += effects[index].value(at: tilt)
      index += 1
    }
    return sum
  }
}
