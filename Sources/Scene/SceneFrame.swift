import Motion

/// What to draw a scene with at one moment: where its parts belong and what its key paths are. A view on numbers that
/// are computed as they are asked for: making one allocates nothing.
package struct SceneFrame: Equatable, Sendable {
  /// From neutral, points: x to the right, y **down**.
  package struct Position: Equatable, Sendable {
    package var x: Double
    package var y: Double
  }

  private let description: SceneDescription
  /// e
  private let offset: Offset
  private let tilt: Tilt
  /// What is left of the motion; nil: it is not reduced.
  private let reducedTo: Double?

  /// - Parameters:
  ///   - offset: e, points, y up; not scaled by reduced motion.
  ///   - tilt: −1 to 1 on each axis; not scaled either.
  ///   - reducedTo: 0 to 1; nil where motion is not reduced.
  package init(_ description: SceneDescription, offset: Offset, tilt: Tilt, reducedTo: Double?) {
    self.description = description
    self.offset = offset
    self.tilt = tilt
    self.reducedTo = reducedTo
  }

  package var background: Position? {
    description.background == nil ? nil : position(description.backgroundDivisor)
  }

  package var layerCount: Int { description.depths.count }

  /// - Parameter index: 0 for the farthest.
  package func layer(_ index: Int) -> Position { position(description.divisor(ofLayer: index)) }

  package var front: Position? { description.hasFront ? position(description.frontDivisor) : nil }

  package var valueCount: Int { description.values.count }

  /// In the order of the first effect of each; `value` of the same index is what it is.
  package func keyPath(_ index: Int) -> String { description.values.keyPaths[index] }

  package func value(_ index: Int) -> Double {
    let value = description.values.value(index, at: tilt)
    return reducedTo == nil ? value : reduced(value, from: description.values.neutral(index))
  }

  /// (e.x, −e.y)/divisor
  private func position(_ divisor: Double) -> Position {
    Position(x: coordinate(offset.x / divisor), y: coordinate(-offset.y / divisor))
  }

  /// Finite, as a pan to the end of the numbers and a small divisor are not; and no negative zero.
  private func coordinate(_ quotient: Double) -> Double {
    let most = Double.greatestFiniteMagnitude
    return reduced(min(max(quotient, -most), most), from: 0) + 0
  }

  /// neutral + scale·(value − neutral)
  private func reduced(_ value: Double, from neutral: Double) -> Double {
    guard let reducedTo else { return value }
    return reducedTo == 0 ? neutral : neutral + reducedTo * (value - neutral)
  }
}
