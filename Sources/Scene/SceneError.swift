import Motion

/// What is wrong with a scene.
package struct SceneError: Error, Equatable, Sendable, CustomStringConvertible {
  /// `scene.layers[3].depth`
  package var path: String
  /// The rest of a sentence that begins with the path, without a full stop: `is -1; allowed: …`.
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  package var description: String { "\(path) \(reason)" }
}

extension SceneError {
  /// What stands there is something else than what may.
  package init(path: String, _ value: SceneValue, allowed: String) {
    self.init(path: path, reason: "is \(value.shown); allowed: \(allowed)")
  }

  /// Somebody else's name, of any length, as it may stand in a path: at most 64 bytes of it.
  package static func short(_ name: String) -> String {
    guard name.utf8.count > 64 else { return name }
    var cut = ""
    for scalar in name.unicodeScalars {
      guard cut.utf8.count + UTF8.width(scalar) <= 64 else { break }
      cut.unicodeScalars.append(scalar)
    }
    return cut + "…"
  }
}

extension SceneValue {
  /// What it is, in a few words: `-1`, `"up"`, `an array`.
  fileprivate var shown: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    // A date in TOML too.
    case .number(let value): value.isNaN ? "nothing that a scene has" : value.plain
    case .text(let value):
      value.utf8.count <= 40 && value.unicodeScalars.allSatisfy(Self.isPlain)
        ? "\"\(value)\"" : "a string of \(value.utf8.count) bytes"
    case .list: "an array"
    case .object: "an object"
    }
  }

  /// Neither a control character nor a quotation mark, and nothing that cannot be seen.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    (0x20..<0x7f).contains(scalar.value) ? scalar != "\"" : scalar.properties.isAlphabetic
  }
}
