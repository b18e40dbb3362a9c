/// Where what lies in the handover file, version 2; numbers are in the machine's own order, since the file never
/// leaves the machine that made it.
///
///     0        head: magic, version, slots, bytes of a body, slots ever used
///     64       which copy of the motion record counts; the two copies, two lines each, at 128 and 256
///     4096     the slots, 128 bytes each: a line with the connection's record, what it has lost, the lock, which
///              copy of the scene's offset counts, with its check, and the two copies
///     then     the bodies, one a slot: bytes that wait to be sent, bytes that came and wait, the scene as JSON
///
/// A line is 64 bytes, the last eight of which are the check of the others. What was never touched takes no memory.
package struct HandoverLayout: Equatable, Sendable {
  /// Connections that have room.
  package var slots: Int
  /// Bytes for what waits on one connection, both ways.
  package var bodySize: Int

  /// More connections than the unit's limit of descriptors lets in; bodies hold the longest message of the default
  /// limits, a read beyond it, the longest reply, and the longest scene.
  package static let standard = HandoverLayout(slots: 4096, bodySize: 196_608)

  package init(slots: Int, bodySize: Int) {
    self.slots = slots
    self.bodySize = bodySize
  }

  /// `plxstate` as the machine reads it.
  static let magic: UInt64 = 0x706c_7873_7461_7465
  static let version: UInt64 = 2
  static let motionChoice = 64
  static let motionCopies = 128
  /// Of one copy: where the pipeline stands, and what it has come to know.
  static let motionSize = 2 * lineSize
  static let lineSize = 64
  static let firstSlot = 4096
  static let slotSize = 128
  /// In the head, outside of what never changes.
  static let slotsUsed = 48
  /// In a slot.
  static let lost = 64
  static let lock = 72
  static let sceneChoice = 80
  static let sceneCopies = 88

  /// A file beyond it is none.
  static let mostBytes = 1 << 40

  /// Bytes of the file.
  package var size: Int { Self.firstSlot + slots * (Self.slotSize + bodySize) }

  /// Where a slot begins, bytes from the file's start.
  func slot(_ index: Int) -> Int { Self.firstSlot + index * Self.slotSize }

  /// Where its body does.
  func body(_ index: Int) -> Int { Self.firstSlot + slots * Self.slotSize + index * bodySize }
}
