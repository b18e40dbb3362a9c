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
