import Scene
import Wire

/// What `Subscribe` has as its scene: one of its own, or one that the daemon has.
package enum SceneChoice: Equatable, Sendable {
  case named(String)
  case own(SceneDescription)

  /// An object with the member `name` names a scene, and has nothing else.
  package init(_ parameter: JSONValue) throws(SceneError) {
    var members: [String: JSONValue] = [:]
    if case .object(let given) = parameter { members = given }
    guard let name = members["name"], name != .null else {
      // `--scene launcher` is what people write elsewhere.
      if case .text(let text) = parameter {
        let example = SceneName.isOne(text) ? text : "NAME"
        throw SceneError(
          path: "scene", SceneValue(parameter),
          allowed: "an object: {\"name\": \"\(example)\"} for a scene that the daemon has, or one of your own"
        )
      }
      members["name"] = nil
      let own = if case .object = parameter { JSONValue.object(members) } else { parameter }
      self = .own(try SceneDescription(checking: SceneValue(own)))
      return
    }
    guard case .text(let text) = name, SceneName.isOne(text) else {
      throw SceneError(path: "scene.name", SceneValue(name), allowed: SceneName.allowed)
    }
    if let other = members.keys.filter({ $0 != "name" }).min() {
      throw SceneError(
        path: "scene.\(SceneError.short(other))",
        reason:
          "stands beside the name of a scene; allowed: the name alone, or a scene of your own without one")
    }
    self = .named(text)
  }
}
