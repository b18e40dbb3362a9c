/// What a scene may be, so that all that follows from it is finite and small.
package enum SceneBounds {
  package static let layers = 64
  /// Over all groups.
  package static let effects = 64
  /// Groups inside one another.
  package static let groups = 4
  /// UTF-8 bytes of a key path.
  package static let keyPath = 128
  /// Points.
  package static let size = 1e-3...1e6
  package static let factor = 1e-3...1e6
  /// Of either end of an effect.
  package static let value = -1e9...1e9
}
