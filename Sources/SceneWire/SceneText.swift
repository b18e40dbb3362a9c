import Motion
import Scene
import Wire

/// What is the same each time that a scene's numbers are written as JSON: the names of its values, with their escapes,
/// and how long all of it can be.
package struct SceneText: Sendable {
  /// Bytes that the numbers take: never fewer, and never more.
  package let bytes: ClosedRange<Int>
  /// `"name":`, one after the other.
  private let names: [UInt8]
  /// Where each of them ends.
  private let nameEnds: [Int]

  package init(_ description: SceneDescription) {
    let frame = SceneFrame(description, offset: .neutral, tilt: .neutral, reducedTo: nil)
    var names: [UInt8] = []
    var ends: [Int] = []
    for index in 0..<frame.valueCount {
      var name = JSONBuffer()
      name.key(text: frame.keyPath(index))
      names += name.bytes
      ends.append(names.count)
    }
    (self.names, nameEnds) = (names, ends)
    let parts = frame.layerCount + (frame.background == nil ? 0 : 1) + (frame.front == nil ? 0 : 1)
    // `{"x":0,"y":0}` to numbers of 24 characters, and the names of the members.
    let least = parts * 13 + names.count + frame.valueCount
    bytes = least...(64 + parts * 64 + names.count + frame.valueCount * 25)
  }

  /// The numbers, only those that the scene has.
  ///
  /// - Parameter frame: of the same scene.
  package func write(_ frame: SceneFrame, to buffer: inout JSONBuffer) {
    buffer.value(atMost: bytes.upperBound) { pen in
      // What is in the braces begins with a comma, and so the first of it must not.
      var isFirst = true
      pen.write("{")
      if let background = frame.background {
        Self.write("\"background\":", &isFirst, to: &pen)
        Self.write(background, to: &pen)
      }
      if frame.layerCount > 0 {
        Self.write("\"layers\":", &isFirst, to: &pen)
        writeLayers(frame, to: &pen)
      }
      if let front = frame.front {
        Self.write("\"front\":", &isFirst, to: &pen)
        Self.write(front, to: &pen)
      }
      if frame.valueCount > 0 {
        Self.write("\"values\":", &isFirst, to: &pen)
        writeValues(frame, to: &pen)
      }
      pen.write("}")
    }
  }

  private static func write(_ name: StaticString, _ isFirst: inout Bool, to pen: inout JSONPen) {
    if !isFirst { pen.write(",") }
    pen.write(name)
    isFirst = false
  }

  // By index: an unoptimised iterator allocates.

  private func writeLayers(_ frame: SceneFrame, to pen: inout JSONPen) {
    pen.write("[")
    var index = 0
    while index < frame.layerCount {
      if index > 0 { pen.write(",") }
      Self.write(frame.layer(index), to: &pen)
      index += 1
    }
    pen.write("]")
  }

  private func writeValues(_ frame: SceneFrame, to pen: inout JSONPen) {
    names.withUnsafeBytes { names in
      pen.write("{")
      var start = 0
      var index = 0
      while index < frame.valueCount {
        if index > 0 { pen.write(",") }
        pen.write(UnsafeRawBufferPointer(rebasing: names[start..<nameEnds[index]]))
        pen.write(frame.value(index))
        start = nameEnds[index]
        index += 1
      }
      pen.write("}")
    }
  }

  private static func write(_ position: SceneFrame.Position, to pen: inout JSONPen) {
    pen.write("{\"x\":")
    pen.write(position.x)
    pen.write(",\"y\":")
    pen.write(position.y)
    pen.write("}")
  }
}
