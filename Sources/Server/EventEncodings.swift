import SceneWire
import Wire

/// The bytes of the event that is being published, written once for all subscribers who see the same.
/// The memory is kept from event to event.
struct EventEncodings {
  /// What makes subscribers' views of one event differ, as an index.
  struct Kind {
    fileprivate let index: Int

    init(_ options: SubscribeOptions, _ form: MessageForm) {
      index =
        (options.screenRotation / 90) << 4 | (options.wantsTilt ? 8 : 0) | (options.wantsRate ? 4 : 0)
        | (options.reducedMotion ? 2 : 0) | (form == .jsonLines ? 1 : 0)
    }
  }

  /// Bytes: above the longest event, so that no later one makes a buffer grow.
  static let capacity = 640

  private struct Slot {
    /// The event whose bytes these are.
    var event: UInt64 = 0
    var buffer = JSONBuffer()
  }

  private var slots = [Slot](repeating: Slot(), count: 64)
  private var event: UInt64 = 0
  private var own = JSONBuffer()

  /// Another event is published; what was written of the last one no longer holds.
  mutating func begin() { event += 1 }

  /// The reply for `event`, which is what all of its kind see of the event that is published.
  mutating func shared(_ event: MotionEvent, _ kind: Kind, in form: MessageForm) -> [UInt8] {
    if slots[kind.index].event != self.event {
      slots[kind.index].buffer.removeAll(reserving: Self.capacity)
      slots[kind.index].buffer.appendReply(event, continues: true, in: form)
      slots[kind.index].event = self.event
    }
    return slots[kind.index].buffer.bytes
  }

  /// The reply for an event that only one subscriber sees so, with the numbers of its scene where it has one.
  mutating func single(_ event: MotionEvent, _ scene: OpenScene?, in form: MessageForm) -> [UInt8] {
    own.removeAll(reserving: Self.capacity + (scene?.replyBytes.upperBound ?? 0))
    if let scene, let place = event.scene {
      own.appendReply(event, in: form) { scene.write(at: place, to: &$0) }
    } else {
      own.appendReply(event, continues: true, in: form)
    }
    return own.bytes
  }
}
