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
      members["name"] = nil
      let own = if case .object = parameter { JSONValue.object(members) } else { parameter }
      self = .own(try SceneDescription(checking: SceneValue(own)))
      return
    }
    guard case .text(let text) = name, SceneName.isOne(text) else {
      throw SceneError(path: "scene.name", reason: SceneName.allowed)
    }
    if let other = members.keys.filter({ $0 != "name" }).min() {
      throw SceneError(path: "scene.\(other.prefix(64))", reason: "nothing beside the name of a scene")
    }
    self = .named(text)
  }
}
