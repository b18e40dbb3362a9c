import Linux
import Scene

/// The scenes that subscribers can ask for by name: `NAME.toml` in the folder `scenes` beside the configuration.
package struct SceneFolder: Sendable {
  /// Why something in the folder cannot be used.
  package struct Fault: Sendable {
    /// The scene's; empty: of the folder as a whole.
    package let name: String
    package let error: SettingsError
    /// Whether what was there before is used meanwhile.
    package var isFormerKept = false

    /// One line for people.
    package var text: String { isFormerKept ? "\(error); what was there before stays in force" : "\(error)" }
  }

  /// Where they are looked for.
  package let path: String
  /// By name.
  package private(set) var scenes: [String: SceneDescription] = [:]
  /// What cannot be used.
  package private(set) var faults: [Fault] = []
  /// A line each for files that are passed over, and look as if somebody meant them for scenes.
  package private(set) var remarks: [String] = []

  /// Lines at most: a folder full of something else is told of, not listed.
  private static let mostRemarks = 8

  /// Reads the folder; where there is none, there are no scenes.
  package init(
    beside source: SettingsSource, systemDirectory: String = Settings.systemDirectory
  ) {
    path = Self.folder(of: source, systemDirectory)
    if case .builtIn = source { return }
    do throws(SettingsError) {
      for path in try Settings.dropIns(in: path) { take(path) }
    } catch {
      faults.append(Fault(name: "", error: error))
    }
    remark()
  }

  /// Files of other endings. Hidden ones, and folders, are nobody's scene.
  private mutating func remark() {
    let names = ((try? Folder.entries(of: path)) ?? []).filter {
      !$0.hasSuffix(".toml") && !$0.hasPrefix(".")
    }
    for name in names.prefix(Self.mostRemarks) {
      remarks.append(
        "\("\(path)/\(name)".printable()): not a scene by its name, and passed over: scenes here are NAME.toml"
      )
    }
    if names.count > Self.mostRemarks {
      remarks.append("\(path.printable()): \(names.count - Self.mostRemarks) more files are passed over")
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
      faults.append(Fault(name: name, error: error))
    }
  }

  /// What was there before stays where it cannot be read now.
  package mutating func keep(from old: SceneFolder) {
    let isWhole = faults.contains { $0.name.isEmpty }
    if isWhole { scenes = old.scenes }
    for index in faults.indices {
      let name = faults[index].name
      if scenes[name] == nil { scenes[name] = old.scenes[name] }
      faults[index].isFormerKept = name.isEmpty ? !old.scenes.isEmpty : scenes[name] != nil
    }
  }

  private static func folder(of source: SettingsSource, _ systemDirectory: String) -> String {
    switch source {
    case .builtIn, .system: return "\(systemDirectory)/scenes"
    case .file(let path):
      guard let slash = path.lastIndex(of: "/") else { return "scenes" }
      return "\(path[...slash])scenes"
    }
  }
}
