import Motion
import Scene
import Wire

extension JSONBuffer {
  /// A scene's numbers, only those that it has. By index: an unoptimised iterator allocates.
  package mutating func value(_ frame: SceneFrame) {
    beginObject()
    if let background = frame.background {
      key("background")
      value(background)
    }
    if frame.layerCount > 0 {
      key("layers")
      beginArray()
      var index = 0
      while index < frame.layerCount {
        value(frame.layer(index))
        index += 1
      }
      endArray()
    }
    if let front = frame.front {
      key("front")
      value(front)
    }
    if frame.valueCount > 0 { appendValues(of: frame) }
    endObject()
  }

  private mutating func appendValues(of frame: SceneFrame) {
    key("values")
    beginObject()
    var index = 0
    while index < frame.valueCount {
      key(text: frame.keyPath(index))
      value(frame.value(index))
      index += 1
    }
    endObject()
  }

  private mutating func value(_ position: SceneFrame.Position) {
    beginObject()
    member("x", position.x)
    member("y", position.y)
    endObject()
  }
}

extension SceneDescription {
  /// Bytes that its numbers take on the wire at most.
  package var mostReplyBytes: Int {
    let place = SceneFrame(self, offset: .neutral, tilt: .neutral, reducedTo: nil)
    var bytes = 64 + (place.layerCount + 2) * 64
    for index in 0..<place.valueCount { bytes += 2 * place.keyPath(index).utf8.count + 32 }
    return bytes
  }
}
