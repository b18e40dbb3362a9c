// The divisors of DVParallaxView: by how much less than the offset each part moves.
extension SceneDescription {
  /// F
  private var frontCount: Int { hasFront ? 1 : 0 }

  /// (L+F+1)·d
  package var backgroundDivisor: Double { Double(depths.count + frontCount + 1) * distanceFactor }

  /// (L+F−j)·d, or depth·d where the layer has its own.
  ///
  /// - Parameter index: j, 0 for the farthest.
  package func divisor(ofLayer index: Int) -> Double {
    (depths[index] ?? Double(depths.count + frontCount - index)) * distanceFactor
  }

  /// −f
  package var frontDivisor: Double { -frontFactor }

  /// How much the background is larger than the bounds to each side, points; infinite where there is none.
  package var room: Size {
    guard let bounds, let background else { return Size(width: .infinity, height: .infinity) }
    return Size(
      width: (background.width - bounds.width) / 2, height: (background.height - bounds.height) / 2)
  }
}
