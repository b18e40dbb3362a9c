/// A scene as it comes from outside, from JSON or TOML, before anything is known of it.
package enum SceneValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  /// Not finite where the source's number does not fit.
  case number(Double)
  case text(String)
  case list([SceneValue])
  case object([String: SceneValue])
}

/// What is wrong with a scene.
package struct SceneError: Error, Equatable, Sendable, CustomStringConvertible {
  /// `scene.layers[3].depth`
  package var path: String
  /// What is allowed there: a phrase without a full stop.
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  package var description: String { "\(path): \(reason)" }
}
