import Handover
import Motion
import Scene
import SceneWire
import Wire

/// The scene of one stream: what it is, and where it stands.
struct OpenScene {
  private var state: SceneState
  /// Degrees that the subscriber's picture is turned counter-clockwise.
  private let rotation: Int
  /// For the next daemon.
  private let text: [UInt8]
  private let reply: SceneText
  /// Whether it has something that moves with the offset, and something that moves with tilt.
  private let hasPositions: Bool
  let hasValues: Bool

  init(_ description: SceneDescription, rotation: Int, offset: Offset = .neutral) {
    state = SceneState(description, offset: offset)
    self.rotation = rotation
    text = description.json
    reply = SceneText(description)
    let frame = SceneFrame(description, offset: .neutral, tilt: .neutral, reducedTo: nil)
    hasPositions = frame.background != nil || frame.front != nil || frame.layerCount > 0
    hasValues = frame.valueCount > 0
  }

  /// The scene's own offset: points, y up, not scaled by reduced motion.
  var offset: Offset { state.offset }

  /// An update was made: the scene goes the same way, as its picture is turned.
  mutating func move(by movement: Movement) {
    var movement = movement
    movement.step = movement.step.turned(by: rotation)
    state.apply(movement)
  }

  /// Points, y down, as the picture of everybody else is turned.
  mutating func pan(x: Double, y: Double, within bound: OffsetBound) {
    let pan = Offset(x: x, y: 0 - y).turned(by: rotation)
    state.pan(x: pan.x, y: 0 - pan.y, within: bound)
  }

  mutating func recenter() { state.recenter() }

  /// What the scene's numbers follow from now. What makes no difference to them is left neutral.
  func place(tilt: Tilt, reducedTo: Double?) -> MotionEvent.ScenePlace {
    let moves = reducedTo != 0
    let offset = hasPositions && moves ? state.offset : .neutral
    let tilt = hasValues && moves ? Offset(x: tilt.x, y: tilt.y).turned(by: rotation) : .neutral
    return MotionEvent.ScenePlace(
      x: offset.x, y: offset.y, tiltX: tilt.x, tiltY: tilt.y, reducedTo: reducedTo)
  }

  /// Bytes that its numbers take in a reply.
  var replyBytes: ClosedRange<Int> { reply.bytes }

  /// Its numbers, for a reply.
  func write(at place: MotionEvent.ScenePlace, to buffer: inout JSONBuffer) {
    let frame = SceneFrame(
      state.description, offset: Offset(x: place.x, y: place.y), tilt: Tilt(x: place.tiltX, y: place.tiltY),
      reducedTo: place.reducedTo)
    reply.write(frame, to: &buffer)
  }

  var record: SceneRecord { SceneRecord(text: text[...], x: offset.x, y: offset.y) }
}
