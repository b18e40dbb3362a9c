import Scene
import Wire

extension SceneValue {
  package init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .number(let value): self = .number(value)
    case .text(let value): self = .text(value)
    case .list(let values): self = .list(values.map { SceneValue($0) })
    case .object(let members): self = .object(members.mapValues { SceneValue($0) })
    }
  }
}

extension JSONValue {
  package init(_ scene: SceneValue) {
    switch scene {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .number(let value): self = .number(value)
    case .text(let value): self = .text(value)
    case .list(let values): self = .list(values.map { JSONValue($0) })
    case .object(let members): self = .object(members.mapValues { JSONValue($0) })
    }
  }
}

extension SceneDescription {
  /// As it can be handed to the next daemon, and read by `init(json:)`.
  package var json: [UInt8] {
    var buffer = JSONBuffer()
    buffer.value(JSONValue(value))
    return buffer.bytes
  }

  /// Reads a scene from a JSON text, as `Subscribe` takes it.
  package init(json text: UnsafeRawBufferPointer) throws(SceneError) {
    guard let value = JSONValue(decoding: text) else {
      let most = "at most \(WireLimits().maxNesting) deep and of \(JSONValue.maxValues) values"
      throw SceneError(path: "scene", reason: "is no JSON object, \(most)")
    }
    try self.init(checking: SceneValue(value))
  }
}
