import Motion

extension SceneDescription {
  private static let members = [
    "bounds", "background", "layers", "front", "distance_factor", "front_factor", "effects",
  ]

  /// Checks a scene that somebody wrote. Null is as good as absent; members that no scene has are errors.
  ///
  /// - Parameter path: what the scene is called in errors.
  package init(checking value: SceneValue, path: String = "scene") throws(SceneError) {
    self.init()
    let scene = try Members(value, path: path, allowed: Self.members)
    bounds = try scene["bounds"].map(Self.size)
    background = try scene["background"].map(Self.size)
    if let layers = scene["layers"] { depths = try Self.depths(layers) }
    if let front = scene["front"] { hasFront = try Self.isThere(front) }
    distanceFactor = try scene["distance_factor"].map(Self.factor) ?? distanceFactor
    frontFactor = try scene["front_factor"].map(Self.factor) ?? frontFactor
    if let effects = scene["effects"] {
      var found: [MotionEffect] = []
      try Self.collect(effects, into: &found, depth: 0)
      take(found)
    }
    try checkBackground(path)
  }

  private func checkBackground(_ path: String) throws(SceneError) {
    guard let background else { return }
    guard let bounds else {
      throw SceneError(path: "\(path).bounds", reason: "is missing: needed where there is a background")
    }
    for (name, own, least) in [
      ("width", background.width, bounds.width), ("height", background.height, bounds.height),
    ] where own < least {
      throw SceneError(
        path: "\(path).background.\(name)", .number(own),
        allowed: "not below that of the bounds, \(least.plain)")
    }
  }

  /// `{width, height}` or `[width, height]`.
  private static func size(_ found: Found) throws(SceneError) -> Size {
    if case .list(let numbers) = found.value {
      guard numbers.count == 2 else { throw found.isNo("{width, height}, or [width, height]") }
      return Size(
        width: try Found(value: numbers[0], path: "\(found.path)[0]").number(in: SceneBounds.size),
        height: try Found(value: numbers[1], path: "\(found.path)[1]").number(in: SceneBounds.size))
    }
    guard case .object = found.value else { throw found.isNo("{width, height}, or [width, height]") }
    let size = try Members(found.value, path: found.path, allowed: ["width", "height"])
    return Size(
      width: try size.required("width").number(in: SceneBounds.size),
      height: try size.required("height").number(in: SceneBounds.size))
  }

  private static func factor(_ found: Found) throws(SceneError) -> Double {
    try found.number(in: SceneBounds.factor)
  }

  /// Each layer is an object, with a depth or without.
  private static func depths(_ found: Found) throws(SceneError) -> [Double?] {
    let layers = try found.list(atMost: SceneBounds.layers, "layers")
    var depths: [Double?] = []
    for (index, layer) in layers.enumerated() {
      let layer = try Members(layer, path: "\(found.path)[\(index)]", allowed: ["depth"])
      depths.append(try layer["depth"].map(factor))
    }
    return depths
  }

  /// `true` or `{}`
  private static func isThere(_ found: Found) throws(SceneError) -> Bool {
    switch found.value {
    case .boolean(let isThere): return isThere
    case .object:
      _ = try Members(found.value, path: found.path, allowed: [])
      return true
    default: throw found.isNo("true, false or {}")
    }
  }

  /// Effects and groups of them, as they come.
  private static func collect(
    _ found: Found, into effects: inout [MotionEffect], depth: Int
  ) throws(SceneError) {
    guard depth <= SceneBounds.groups else {
      throw SceneError(
        path: found.path,
        reason: "is \(depth) groups deep; allowed: at most \(SceneBounds.groups) inside one another")
    }
    for (index, value) in try found.list(atMost: SceneBounds.effects, "effects").enumerated() {
      let path = "\(found.path)[\(index)]"
      if case .object(let members) = value, members["effects"] != nil {
        let group = try Members(value, path: path, allowed: ["effects"])
        if let inner = group["effects"] { try collect(inner, into: &effects, depth: depth + 1) }
        continue
      }
      guard effects.count < SceneBounds.effects else {
        throw SceneError(
          path: path,
          reason: "is one too many; allowed: at most \(SceneBounds.effects) effects, those of groups included"
        )
      }
      effects.append(try effect(value, path: path))
    }
  }

  private static func effect(_ value: SceneValue, path: String) throws(SceneError) -> MotionEffect {
    let members = try Members(value, path: path, allowed: ["key_path", "axis", "minimum", "maximum"])
    return MotionEffect(
      keyPath: try members.required("key_path").keyPath(),
      axis: try members.required("axis").axis(),
      minimum: try members.required("minimum").number(in: SceneBounds.value),
      maximum: try members.required("maximum").number(in: SceneBounds.value))
  }
}
