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
  /// What has a place: what it is called, and the letter that stands for it in a picture.
  struct Part {
    let name: String
    let letter: Unicode.Scalar
    let position: Position
  }

  /// From far to near.
  var parts: [Part] {
    var parts: [Part] = []
    if let background { parts.append(Part(name: "background", letter: "B", position: background)) }
    for (index, layer) in (layers ?? []).enumerated() {
      parts.append(Part(name: "layer \(index)", letter: Self.letter(index), position: layer))
    }
    if let front { parts.append(Part(name: "front", letter: "F", position: front)) }
    return parts
  }

  /// 0 to 9, a to z, and then once more.
  private static func letter(_ index: Int) -> Unicode.Scalar {
    let index = UInt8(index % 36)
    return Unicode.Scalar(index < 10 ? UInt8(ascii: "0") + index : UInt8(ascii: "a") + index - 10)
  }

  /// All of it in words: points from neutral, y down.
  var text: String { pieces.joined(separator: "  ") }

  /// The same, a label and its numbers each.
  var pieces: [String] {
    var words = parts.map { part in
      let (x, y) = (part.position.x, part.position.y)
      return "\(part.name) \(DecimalText.signed(x, digits: 1)),\(DecimalText.signed(y, digits: 1))"
    }
    for (name, value) in (values ?? [:]).sorted(by: { $0.key < $1.key }) {
      // Somebody else's text, and perhaps long.
      words.append("\(PlainText.narrow(String(name.prefix(32)))) \(DecimalText.fixed(value, digits: 2))")
    }
    return words
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
