import Linux
import Scene
import SceneWire
import Settings
import Wire

/// What the word after `--scene` means: the name of one of the daemon's scenes, or a file of one's own.
///
/// A word that can be a name is one; `./name` is a file of that name. What ends in `.json` is a scene as `Subscribe`
/// takes it, anything else TOML as in `config/scenes`.
enum SceneArgument {
  /// The parameter of `Subscribe`.
  static func parameter(_ word: String) throws(CommandError) -> JSONValue {
    SceneName.isOne(word) ? .object(["name": .text(word)]) : JSONValue(try file(word).value)
  }

  /// The scene itself, for what needs no daemon: a name is looked up beside the configuration.
  static func description(_ word: String, beside source: SettingsSource) throws(CommandError)
    -> SceneDescription
  {
    guard SceneName.isOne(word) else { return try file(word) }
    let folder = SceneFolder(beside: source)
    if let scene = folder.scenes[word] { return scene }
    if let fault = folder.faults.first(where: { $0.name == word || $0.name.isEmpty }) {
      throw CommandError(ExitCode.configuration, "\(fault.error)")
    }
    let names = folder.scenes.keys.sorted().joined(separator: ", ")
    throw CommandError(
      ExitCode.configuration,
      "there is no scene \(word) in \(folder.path.printable())"
        + (names.isEmpty ? "" : "; there are \(names)")
        + "; --config FILE looks in the folder scenes beside FILE, and --scene ./FILE is a file of your own")
  }

  private static func file(_ path: String) throws(CommandError) -> SceneDescription {
    guard path.hasSuffix(".json") else {
      return try CommandError.wrap(ExitCode.configuration) { () throws(SettingsError) in
        try SceneFile.load(path)
      }
    }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SmallFile.contents(of: path, limit: WireLimits().maxMessage)
    } catch {
      throw CommandError(ExitCode.configuration, "\(path.printable()): \(error)")
    }
    if let fault = bytes.withUnsafeBytes({ JSONFault(in: $0) }) {
      throw CommandError(ExitCode.configuration, "\(path.printable()):\(fault)")
    }
    do {
      return try bytes.withUnsafeBytes { try SceneDescription(json: $0) }
    } catch {
      throw CommandError(ExitCode.configuration, "\(path.printable()): \("\(error)".printable(limit: 1000))")
    }
  }
}
