import Motion

@testable import Scene

/// A scene of JSON-like pieces, for tables.
func scene(_ members: [String: SceneValue]) throws(SceneError) -> SceneDescription {
  try SceneDescription(checking: .object(members))
}

func size(_ width: Double, _ height: Double) -> SceneValue {
  .object(["width": .number(width), "height": .number(height)])
}

/// Layers without depths of their own.
func layers(_ count: Int) -> SceneValue { .list(Array(repeating: .object([:]), count: count)) }

func effect(
  _ keyPath: String, _ axis: String = "horizontal", _ minimum: Double = -10, _ maximum: Double = 10
) -> SceneValue {
  .object([
    "key_path": .text(keyPath), "axis": .text(axis), "minimum": .number(minimum), "maximum": .number(maximum),
  ])
}

func frame(
  _ description: SceneDescription, x: Double = 0, y: Double = 0, tilt: Tilt = .neutral,
  reducedTo: Double? = nil
) -> SceneFrame {
  SceneFrame(description, offset: Offset(x: x, y: y), tilt: tilt, reducedTo: reducedTo)
}
