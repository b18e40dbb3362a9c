import Motion
import Scene
import SceneWire
import Wire

// Each stream with a scene has an offset of its own, which goes where the pipeline's goes: it must hear of every
// update, also of those that its subscriber is sent nothing of.
extension Server {
  package var hasScenes: Bool { !sceneSessions.isEmpty }

  /// An update was made. Allocates nothing.
  package func moveScenes(by movement: Movement) {
    var index = 0
    while index < sceneSessions.count {
      sceneSessions[index].scene?.move(by: movement)
      sceneSessions[index].noteScene()
      index += 1
    }
  }

  /// The content was moved by hand: points in screen direction, y down.
  package func panScenes(x: Double, y: Double, within bound: OffsetBound) {
    for session in sceneSessions {
      session.scene?.pan(x: x, y: y, within: bound)
      session.noteScene()
    }
  }

  /// Every scene to neutral.
  package func recenterScenes() {
    for session in sceneSessions {
      session.scene?.recenter()
      session.noteScene()
    }
  }

  /// What a subscriber asks for as its scene, at neutral.
  func openScene(_ parameter: JSONValue?, rotation: Int) throws(ServiceError) -> OpenScene? {
    guard let parameter else { return nil }
    do throws(SceneError) {
      switch try SceneChoice(parameter) {
      case .own(let description): return OpenScene(description, rotation: rotation)
      case .named(let name):
        guard let description = namedScenes[name] else { throw unknownScene(name) }
        return OpenScene(description, rotation: rotation)
      }
    } catch {
      throw .invalidScene(path: error.path, reason: error.reason)
    }
  }

  private func unknownScene(_ name: String) -> SceneError {
    let names = namedScenes.keys.sorted()
    guard names.isEmpty else {
      return SceneError(path: "scene.name", .text(name), allowed: names.joined(separator: ", "))
    }
    return SceneError(
      path: "scene.name",
      reason:
        "is \"\(name)\", and this daemon has no scenes: it reads them from \(sceneFolder)/NAME.toml when it "
        + "starts and when it is reloaded; or hand over the scene itself (parallaxctl: --scene FILE)")
  }
}
