import TestSupport
import Testing
import Wire

@testable import Handover

/// An image in memory of the test's own.
final class Memory {
  static let layout = HandoverLayout(slots: 20, bodySize: 4096)
  let bytes: UnsafeMutableRawBufferPointer

  init(_ layout: HandoverLayout = layout) {
    bytes = .allocate(byteCount: layout.size, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { bytes.deallocate() }

  func format() throws -> HandoverImage { try HandoverImage(formatting: bytes, as: Self.layout) }

  func copy(from other: Memory) { bytes.copyMemory(from: UnsafeRawBufferPointer(other.bytes)) }
}

@Suite struct HandoverImageTests {
  private static func motion(_ number: Int64) -> MotionRecord {
    var motion = MotionRecord()
    motion.sequence = number
    motion.timestampNanoseconds = number * 1000
    motion.x = Double(number) / 3
    motion.y = -Double(number)
    motion.tiltX = 1 / Double(number + 1)
    motion.tiltY = -motion.tiltX
    motion.switchReduces = number % 3 == 0 ? nil : number % 3 == 1
    motion.biasX = Double(number) / 7
    motion.biasY = -motion.biasX
    motion.biasZ = motion.x
    motion.biasVariance = 1e-6 / Double(number + 1)
    motion.sensorMark = UInt64(number) &* 0x1_0000_0001
    return motion
  }

  private static let records: [ConnectionRecord] = {
    var stream = ConnectionRecord()
    var options = SubscribeOptions()
    stream.subscription = options
    var odd = ConnectionRecord()
    options.minIntervalNanoseconds = 60_000_000_000
    options.onlyChanges = false
    options.wantsRate = true
    options.wantsTilt = true
    options.reducedMotion = true
    options.screenRotation = 270
    options.backlog = 1024
    odd.form = .jsonLines
    odd.subscription = options
    odd.lost = 17
    odd.tail = ArraySlice(Array("rest of a message\0".utf8))
    odd.input = ArraySlice(Array("{\"method\":\"a.b\"}\n{".utf8))
    var hold = ConnectionRecord()
    hold.isHolding = true
    hold.page = .withRates
    stream.page = .withoutRates
    hold.tail = ArraySlice([UInt8](repeating: 7, count: Memory.layout.bodySize))
    var scene = odd
    scene.scene = SceneRecord(text: ArraySlice(Array("{\"layers\":[{}]}".utf8)), x: 1 / 3, y: -2e300)
    return [ConnectionRecord(), stream, odd, hold, scene]
  }()

  @Test func whatIsWrittenIsRead() throws {
    let memory = Memory()
    let image = try memory.format()
    #expect(image.motion == MotionRecord())
    for (slot, record) in Self.records.enumerated() {
      image.take(slot, cookie: UInt64(slot) + 100)
      image.write(record, slot)
    }
    for number in [0, 1, 2, 1 << 50] as [Int64] {
      image.write(Self.motion(number))
      let again = try HandoverImage(checking: memory.bytes)
      #expect(again.motion == Self.motion(number))
      for (slot, record) in Self.records.enumerated() {
        #expect(try again.connection(slot) == record)
        #expect(again.cookie(of: slot) == UInt64(slot) + 100)
      }
    }
    #expect(image.slotsUsed == Self.records.count)
  }

  @Test func whatIsBegunIsInDoubtUntilItIsWritten() throws {
    let memory = Memory()
    let image = try memory.format()
    image.take(3, cookie: 1)
    #expect(throws: HandoverDefect.inDoubt) { try image.connection(3) }
    image.write(Self.records[2], 3)
    #expect(try image.connection(3) == Self.records[2])
    image.begin(3)
    image.begin(3)
    #expect(throws: HandoverDefect.inDoubt) { try image.connection(3) }
    image.write(Self.records[1], 3)
    #expect(try image.connection(3) == Self.records[1])
    image.write(lost: 4, 3)
    #expect(try image.connection(3).lost == 4)
    image.free(3)
    #expect(throws: HandoverDefect.noState) { try image.connection(3) }
    #expect(image.cookie(of: 3) == nil)
  }

  @Test func aSceneIsWhereItWasWrittenLast() throws {
    let memory = Memory()
    let image = try memory.format()
    image.take(2, cookie: 1)
    image.write(Self.records[4], 2)
    for number in 1...5 {
      image.write(sceneX: Double(number), y: -Double(number) / 7, 2)
      let scene = try #require(try image.connection(2).scene)
      #expect(scene.x == Double(number) && scene.y == -Double(number) / 7)
      #expect(scene.text == Self.records[4].scene?.text)
    }
    image.write(sceneX: .nan, y: 0, 2)
    #expect(throws: HandoverDefect.damaged) { try image.connection(2) }
    // What is none of a stream has no scene.
    var record = Self.records[4]
    record.subscription = nil
    image.write(record, 2)
    #expect(throws: HandoverDefect.damaged) { try image.connection(2) }
    image.write(sceneX: 1, y: 1, .max)
  }

  @Test func whatHasNoRoomStaysInDoubt() throws {
    let memory = Memory()
    let image = try memory.format()
    image.take(0, cookie: 1)
    image.write(Self.records[1], 0)
    var long = Self.records[1]
    long.tail = ArraySlice([UInt8](repeating: 1, count: Memory.layout.bodySize))
    long.input = [1]
    image.write(long, 0)
    #expect(throws: HandoverDefect.inDoubt) { try image.connection(0) }
    // And no slot beyond the last one is touched.
    for slot in [-1, Memory.layout.slots, .max] {
      image.take(slot, cookie: 1)
      image.begin(slot)
      image.write(long, slot)
      image.free(slot)
      #expect(throws: HandoverDefect.noState) { try image.connection(slot) }
    }
  }

  @Test func otherFilesAreNotBelieved() throws {
    let memory = Memory()
    #expect(throws: HandoverDefect.damagedFile) { try HandoverImage(checking: memory.bytes) }
    _ = try memory.format()
    let start = memory.bytes.baseAddress
    for (word, value, defect) in [
      (0, 1, .damagedFile), (1, 1, .otherVersion), (2, 21, .damagedFile), (2, .max, .damagedFile),
      (3, 8192, .damagedFile), (3, 0, .damagedFile), (3, .max, .damagedFile), (6, 21, .damagedFile),
    ] as [(Int, UInt64, HandoverDefect)] {
      let good = start?.load(fromByteOffset: word * 8, as: UInt64.self) ?? 0
      start?.storeBytes(of: value, toByteOffset: word * 8, as: UInt64.self)
      #expect(throws: defect) { try HandoverImage(checking: memory.bytes) }
      start?.storeBytes(of: good, toByteOffset: word * 8, as: UInt64.self)
    }
    _ = try HandoverImage(checking: memory.bytes)
    for size in [0, 8, 4095, 4096, Memory.layout.size - 1] {
      let part = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<size])
      #expect(throws: HandoverDefect.damagedFile) { try HandoverImage(checking: part) }
    }
  }

  /// Whatever the bytes: an answer, no trap, and no record that was not written.
  @Test func anyBytes() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("handover seed \(seed)")
    var random = SplitMix64(seed: seed)
    let good = Memory()
    let image = try good.format()
    image.write(Self.motion(5))
    for (slot, record) in Self.records.enumerated() {
      image.take(slot, cookie: UInt64(slot))
      image.write(record, slot)
    }
    let bad = Memory()
    for _ in 0..<3000 {
      bad.copy(from: good)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        // Mostly where records are, now and then in the head and in the bytes that wait.
        let slots = HandoverLayout.firstSlot..<(HandoverLayout.firstSlot + 128 * Self.records.count)
        let places = [0..<384, slots, slots, slots, 0..<bad.bytes.count]
        let place = Int.random(in: places[Int.random(in: 0..<5, using: &random)], using: &random)
        bad.bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      guard let read = try? HandoverImage(checking: bad.bytes) else { continue }
      if let motion = read.motion { #expect([Self.motion(5), MotionRecord()].contains(motion)) }
      for slot in 0..<read.layout.slots {
        guard var record = try? read.connection(slot) else { continue }
        #expect(record.lost >= 0)
        record.lost = Self.records[slot].lost
        #expect(record == Self.records[slot])
      }
    }
  }

  /// Killed after any word that it wrote: what was there before, what is there now, or that there is doubt.
  @Test func aKillAtAnyWord() throws {
    let before = Memory()
    let image = try before.format()
    image.write(Self.motion(1))
    image.take(0, cookie: 9)
    image.write(Self.records[1], 0)
    let after = Memory()
    after.copy(from: before)
    let next = try HandoverImage(checking: after.bytes)
    next.write(Self.motion(2))
    // The copies first, then the choice; in between any part of what changed.
    let mixed = Memory()
    for count in 0...128 {
      mixed.copy(from: before)
      for byte in HandoverLayout.motionCopies..<(HandoverLayout.motionCopies + 2 * count) {
        mixed.bytes[byte] = after.bytes[byte]
      }
      #expect(try HandoverImage(checking: mixed.bytes).motion == Self.motion(1))
    }
    next.begin(0)
    #expect(throws: HandoverDefect.inDoubt) { try next.connection(0) }
  }
}
