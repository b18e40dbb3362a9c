import Motion

/// The members of an object in a scene, and where it stands.
struct Members {
  private let members: [String: SceneValue]
  private let path: String

  /// Refuses what is no object, and members of other names: a misspelt one must not be ignored.
  init(_ value: SceneValue, path: String, allowed: [String]) throws(SceneError) {
    guard case .object(let members) = value else {
      throw SceneError(path: path, value, allowed: "an object")
    }
    // What is not ASCII is none of ours: comparing it as Unicode does takes milliseconds where it is long.
    let unknown = members.keys.filter { name in
      !name.utf8.allSatisfy { $0 < 0x80 } || !allowed.contains(name)
    }
    if let unknown = unknown.min(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      let names = allowed.isEmpty ? "nothing" : allowed.joined(separator: ", ")
      throw SceneError(
        path: "\(path).\(SceneError.short(unknown))", reason: "is unknown; allowed here: \(names)")
    }
    self.members = members
    self.path = path
  }

  /// nil where it is absent or null.
  subscript(name: String) -> Found? {
    guard let value = members[name], value != .null else { return nil }
    return Found(value: value, path: "\(path).\(name)")
  }

  func required(_ name: String) throws(SceneError) -> Found {
    guard let found = self[name] else { throw SceneError(path: "\(path).\(name)", reason: "is missing") }
    return found
  }
}

/// A value in a scene, and where it stands.
struct Found {
  let value: SceneValue
  let path: String

  func isNo(_ allowed: String) -> SceneError { SceneError(path: path, value, allowed: allowed) }

  func number(in range: ClosedRange<Double>) throws(SceneError) -> Double {
    let allowed = "a number from \(range.lowerBound.plain) to \(range.upperBound.plain)"
    guard case .number(let number) = value, range.contains(number) else { throw isNo(allowed) }
    return number
  }

  func list(atMost most: Int, _ what: String) throws(SceneError) -> [SceneValue] {
    guard case .list(let list) = value else { throw isNo("an array") }
    guard list.count <= most else {
      throw SceneError(path: path, reason: "has \(list.count) \(what); allowed: at most \(most)")
    }
    return list
  }

  /// A name that can be shown and sent as it is.
  func keyPath() throws(SceneError) -> String {
    let allowed = "a string of 1 to \(SceneBounds.keyPath) bytes without control characters"
    guard case .text(let text) = value, (1...SceneBounds.keyPath).contains(text.utf8.count) else {
      throw isNo(allowed)
    }
    let isShown = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
    guard isShown else { throw isNo(allowed) }
    return text
  }

  func axis() throws(SceneError) -> MotionEffect.Axis {
    guard case .text(let text) = value, let axis = MotionEffect.Axis(rawValue: text) else {
      throw isNo("\"horizontal\", \"vertical\"")
    }
    return axis
  }
}
