import Scene

/// A scene in a TOML file: the members of a scene are its keys.
package enum SceneFile {
  /// Reads a file.
  package static func load(_ path: String) throws(SettingsError) -> SceneDescription {
    let bytes = try Settings.contents(of: path)
    return try bytes.withUnsafeBufferPointer { (bytes: UnsafeBufferPointer<UInt8>) throws(SettingsError) in
      try parse(UnsafeRawBufferPointer(bytes), fileName: path)
    }
  }

  /// Reads a file's bytes; nothing is opened.
  package static func parse(
    _ bytes: UnsafeRawBufferPointer, fileName: String
  ) throws(SettingsError) -> SceneDescription {
    let entries = try TOMLDocument.parse(bytes, fileName: fileName, arrays: true)
    var tree = TOMLTree()
    for entry in entries {
      guard tree.add(entry) else {
        throw SettingsError(
          "\(SceneError.short(entry.key)) is nothing that a scene has", key: entry.key, at: entry.keyPlace)
      }
    }
    do throws(SceneError) {
      return try SceneDescription(checking: tree.value, path: "scene")
    } catch {
      throw located(error, entries, fileName)
    }
  }

  /// The error with the place in the file that its path means: that of the innermost part which is there.
  private static func located(_ error: SceneError, _ entries: [TOMLEntry], _ fileName: String)
    -> SettingsError
  {
    let key = error.path.hasPrefix("scene.") ? String(error.path.dropFirst("scene.".count)) : error.path
    var place = SettingsPlace(file: fileName)
    var part = Substring(key)
    while !part.isEmpty {
      if let entry = entries.first(where: { $0.key == part }) {
        place = part == key ? entry.valuePlace : entry.keyPlace
        break
      }
      // `bounds[0]`, `layers[3].depth`: the last of them goes.
      part = part[..<(part.lastIndex { $0 == "." || $0 == "[" } ?? part.startIndex)]
    }
    return SettingsError("\(key) \(error.reason)", key: key, at: place)
  }
}
