import SceneWire
import Wire

/// An event of a stream with a scene.
struct SceneEvent: Decodable, Sendable {
  let event: MotionEvent
  /// nil where the stream has none.
  let scene: SceneNumbers?

  private enum CodingKeys: String, CodingKey { case scene }

  init(from decoder: any Decoder) throws {
    event = try MotionEvent(from: decoder)
    scene = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(SceneNumbers.self, forKey: .scene)
  }
}

extension SceneNumbers {
  /// What has a place, from far to near, and what it is called.
  var parts: [(name: String, position: Position)] {
    var parts: [(name: String, position: Position)] = []
    if let background { parts.append(("background", background)) }
    for (index, layer) in (layers ?? []).enumerated() { parts.append(("layer \(index)", layer)) }
    if let front { parts.append(("front", front)) }
    return parts
  }

  /// All of it in words: points from neutral, y down.
  var text: String {
    var words = parts.map { name, position in
      "\(name) \(DecimalText.signed(position.x, digits: 1)),\(DecimalText.signed(position.y, digits: 1))"
    }
    for (name, value) in (values ?? [:]).sorted(by: { $0.key < $1.key }) {
      // Somebody else's text, and perhaps long.
      words.append("\(PlainText.narrow(String(name.prefix(32)))) \(DecimalText.fixed(value, digits: 2))")
    }
    return words.joined(separator: "  ")
  }

  /// Where the landscape's four depths are, from far to near, points, y down: they stand for what the scene has, from
  /// its farthest part to its nearest.
  var depths: [(x: Double, y: Double)] {
    let parts = parts
    guard let last = parts.indices.last else { return Array(repeating: (0, 0), count: 4) }
    return (0..<4).map { depth in
      let position = parts[depth * last / 3].position
      return (position.x, position.y)
    }
  }
}
