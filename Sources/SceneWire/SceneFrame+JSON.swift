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
  /// Bytes that its numbers take on the wire: never fewer, and never more.
  package var replyBytes: ClosedRange<Int> {
    let frame = SceneFrame(self, offset: .neutral, tilt: .neutral, reducedTo: nil)
    let parts = frame.layerCount + (frame.background == nil ? 0 : 1) + (frame.front == nil ? 0 : 1)
    // `{"x":0,"y":0}` to numbers of 24 characters, and the names of the members.
    var least = parts * 13
    var most = 64 + parts * 64
    for index in 0..<frame.valueCount {
      let name = frame.keyPath(index).utf8.count
      least += name + 4
      most += 2 * name + 32
    }
    return least...most
  }
}
