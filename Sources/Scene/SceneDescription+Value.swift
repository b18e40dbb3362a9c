extension SceneDescription {
  /// The same scene written anew: what `init(checking:)` reads back to this one. Groups are gone, since they mean
  /// nothing but their effects.
  package var value: SceneValue {
    var members: [String: SceneValue] = [
      "distance_factor": .number(distanceFactor), "front_factor": .number(frontFactor),
    ]
    if let bounds { members["bounds"] = Self.value(of: bounds) }
    if let background { members["background"] = Self.value(of: background) }
    if !depths.isEmpty {
      members["layers"] = .list(depths.map { .object($0.map { ["depth": .number($0)] } ?? [:]) })
    }
    if hasFront { members["front"] = .boolean(true) }
    if !effects.isEmpty {
      members["effects"] = .list(
        effects.map {
          .object([
            "key_path": .text($0.keyPath), "axis": .text($0.axis.rawValue), "minimum": .number($0.minimum),
            "maximum": .number($0.maximum),
          ])
        })
    }
    return .object(members)
  }

  private static func value(of size: Size) -> SceneValue {
    .object(["width": .number(size.width), "height": .number(size.height)])
  }
}
