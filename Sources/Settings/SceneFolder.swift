import Scene

/// The scenes that subscribers can ask for by name: `NAME.toml` in the folder `scenes` beside the configuration.
package struct SceneFolder: Sendable {
  /// By name.
  package private(set) var scenes: [String: SceneDescription] = [:]
  /// What cannot be used, by name; empty: of the folder as a whole.
  package private(set) var faults: [(name: String, error: SettingsError)] = []

  package init() {}

  /// Reads the folder; where there is none, there are no scenes.
  package init(
    beside source: SettingsSource, systemDirectory: String = Settings.systemDirectory
  ) {
    guard let folder = Self.folder(of: source, systemDirectory) else { return }
    do throws(SettingsError) {
      for path in try Settings.dropIns(in: folder) { take(path) }
    } catch {
      faults.append(("", error))
    }
  }

  private mutating func take(_ path: String) {
    let file = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    let name = String(file.dropLast(".toml".count))
    do throws(SettingsError) {
      guard SceneName.isOne(name) else {
        throw SettingsError("a scene's name is \(SceneName.allowed)", at: SettingsPlace(file: path))
      }
      scenes[name] = try SceneFile.load(path)
    } catch {
      faults.append((name, error))
    }
  }

  /// What was there before stays where it cannot be read now.
  package mutating func keep(from old: SceneFolder) {
    if faults.contains(where: { $0.name.isEmpty }) { scenes = old.scenes }
    for (name, _) in faults where scenes[name] == nil { scenes[name] = old.scenes[name] }
  }

  private static func folder(of source: SettingsSource, _ systemDirectory: String) -> String? {
    switch source {
    case .builtIn: return nil
    case .system: return "\(systemDirectory)/scenes"
    case .file(let path):
      guard let slash = path.lastIndex(of: "/") else { return "scenes" }
      return "\(path[...slash])scenes"
    }
  }
}
