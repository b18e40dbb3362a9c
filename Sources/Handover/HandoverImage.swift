import CLinux

/// The handover file's bytes and what they mean. Pure: it knows memory, no file, and believes nothing that it has not
/// checked; nothing in it reaches beyond the memory that it was given.
///
/// A process can be killed between any two stores. Each record is therefore either in two copies of which one word
/// says the one that counts, or under a lock that is odd while it, or what it stands for, is being changed.
package struct HandoverImage {
  package let layout: HandoverLayout
  /// `layout.size` bytes.
  private let start: UnsafeMutableRawPointer

  /// An image that is there already.
  package init(checking memory: UnsafeMutableRawBufferPointer) throws(HandoverDefect) {
    guard memory.count >= HandoverLayout.firstSlot, let start = memory.baseAddress else { throw .damagedFile }
    let head = HandoverLine(start)
    guard head[0] == HandoverLayout.magic else { throw .damagedFile }
    guard head[1] == HandoverLayout.version else { throw .otherVersion }
    guard head[2] <= 1 << 16, head[3] <= 1 << 24, head[3] % 4096 == 0 else { throw .damagedFile }
    layout = HandoverLayout(slots: Int(head[2]), bodySize: Int(head[3]))
    self.start = start
    guard layout.size == memory.count, load(at: HandoverLayout.slotsUsed) <= head[2] else {
      throw .damagedFile
    }
  }

  /// A new image in memory that is all zeros.
  package init(formatting memory: UnsafeMutableRawBufferPointer, as layout: HandoverLayout)
    throws(HandoverDefect)
  {
    guard memory.count == layout.size, let start = memory.baseAddress else { throw .damagedFile }
    let head = HandoverLine(start)
    head[1] = HandoverLayout.version
    head[2] = UInt64(layout.slots)
    head[3] = UInt64(layout.bodySize)
    self.layout = layout
    self.start = start
    write(MotionRecord())
    store(HandoverLayout.magic, at: 0)
  }

  // MARK: Where the pipeline stands

  /// nil where it is damaged.
  package var motion: MotionRecord? {
    let copy = motionCopy(load(at: HandoverLayout.motionChoice) & 1)
    return MotionRecord(line(at: copy), line(at: copy + HandoverLayout.lineSize))
  }

  /// Into the copy that does not count, which then does. Allocates nothing.
  package func write(_ motion: MotionRecord) {
    let other = load(at: HandoverLayout.motionChoice) & 1 ^ 1
    let copy = motionCopy(other)
    motion.write(to: line(at: copy), line(at: copy + HandoverLayout.lineSize))
    store(other, at: HandoverLayout.motionChoice)
  }

  private func motionCopy(_ index: UInt64) -> Int {
    HandoverLayout.motionCopies + Int(index) * HandoverLayout.motionSize
  }

  // MARK: Connections

  /// Slots that were ever used: those from it on are free.
  package var slotsUsed: Int { Int(min(load(at: HandoverLayout.slotsUsed), UInt64(layout.slots))) }

  /// Whose slot it is, as the kernel counts sockets; nil where it is free.
  package func cookie(of slot: Int) -> UInt64? {
    guard isSlot(slot), lock(of: slot) != 0 else { return nil }
    return line(at: layout.slot(slot))[0]
  }

  /// Takes a free slot for a connection, of which nothing is written down yet.
  package func take(_ slot: Int, cookie: UInt64) {
    guard isSlot(slot) else { return }
    if slot >= slotsUsed { store(UInt64(slot + 1), at: HandoverLayout.slotsUsed) }
    let line = line(at: layout.slot(slot))
    line.clear()
    line[0] = cookie
    write(lost: 0, slot)
    setLock(of: slot, 1)
  }

  /// What follows leaves the record behind; until it is written again nothing is to be believed.
  package func begin(_ slot: Int) {
    guard isSlot(slot) else { return }
    setLock(of: slot, lock(of: slot) | 1)
  }

  /// Writes the record anew, and ends what was begun. Where the bytes that wait have no room, it stays in doubt.
  ///
  /// - Returns: whether it had bytes before and has none now.
  @discardableResult
  package func write(_ record: ConnectionRecord, _ slot: Int) -> Bool {
    guard isSlot(slot) else { return false }
    begin(slot)
    let line = line(at: layout.slot(slot))
    let hadBody = line[3] | line[5] != 0
    let scene = record.scene?.text ?? []
    let waiting = record.tail.count + record.input.count
    let count = waiting + scene.count
    guard count <= layout.bodySize else { return false }
    record.write(to: line)
    line[3] = UInt64(record.tail.count) << 32 | UInt64(record.input.count)
    let body = body(of: slot, count: count)
    body.copyBytes(from: record.tail)
    UnsafeMutableRawBufferPointer(rebasing: body[record.tail.count...]).copyBytes(from: record.input)
    UnsafeMutableRawBufferPointer(rebasing: body[waiting...]).copyBytes(from: scene)
    line[5] = UInt64(scene.count)
    line[4] = check(of: body)
    line.seal()
    write(lost: record.lost, slot)
    if let scene = record.scene { write(sceneX: scene.x, y: scene.y, slot) }
    let next = lock(of: slot) &+ 1
    setLock(of: slot, next == 0 ? 2 : next)  // 0 is a free slot's
    return hadBody && count == 0
  }

  /// Updates that the subscriber has missed: one word, so that it is always whole.
  package func write(lost: Int64, _ slot: Int) {
    guard isSlot(slot) else { return }
    store(UInt64(bitPattern: lost), at: layout.slot(slot) + HandoverLayout.lost)
  }

  /// Where the scene of a stream stands: into the copy that does not count, which then does. Allocates nothing.
  package func write(sceneX x: Double, y: Double, _ slot: Int) {
    guard isSlot(slot) else { return }
    let choice = layout.slot(slot) + HandoverLayout.sceneChoice
    let other = load(at: choice) & 1 ^ 1
    store(x.bitPattern, at: sceneCopy(other, slot))
    store(y.bitPattern, at: sceneCopy(other, slot) + 8)
    store(Self.sceneCheck(x, y) | other, at: choice)
  }

  /// nil where no scene can stand so.
  private func sceneOffset(_ slot: Int) -> (x: Double, y: Double)? {
    let choice = load(at: layout.slot(slot) + HandoverLayout.sceneChoice)
    let copy = sceneCopy(choice & 1, slot)
    let (x, y) = (Double(bitPattern: load(at: copy)), Double(bitPattern: load(at: copy + 8)))
    guard choice & ~1 == Self.sceneCheck(x, y), x.isFinite, y.isFinite else { return nil }
    return (x, y)
  }

  /// Of a copy; its last bit is the copy's number.
  private static func sceneCheck(_ x: Double, _ y: Double) -> UInt64 {
    var sum = Checksum()
    sum.add(x.bitPattern)
    sum.add(y.bitPattern)
    return sum.value & ~1
  }

  private func sceneCopy(_ index: UInt64, _ slot: Int) -> Int {
    layout.slot(slot) + HandoverLayout.sceneCopies + Int(index) * 16
  }

  /// The slot is nobody's; what is written in it means nothing any more.
  package func free(_ slot: Int) {
    guard isSlot(slot) else { return }
    setLock(of: slot, 0)
  }

  /// What is written down of a connection.
  package func connection(_ slot: Int) throws(HandoverDefect) -> ConnectionRecord {
    guard isSlot(slot), lock(of: slot) != 0 else { throw .noState }
    guard lock(of: slot) & 1 == 0 else { throw .inDoubt }
    let line = line(at: layout.slot(slot))
    guard line.isWhole, var record = ConnectionRecord(line) else { throw .damaged }
    let (tail, input) = (Int(line[3] >> 32), Int(line[3] & 0xffff_ffff))
    let scene = Int(min(line[5], UInt64(layout.bodySize) + 1))
    record.lost = Int64(bitPattern: load(at: layout.slot(slot) + HandoverLayout.lost))
    guard tail <= layout.bodySize, input <= layout.bodySize - tail, scene <= layout.bodySize - tail - input,
      (0..<1 << 62).contains(record.lost)
    else {
      throw .damaged
    }
    let body = body(of: slot, count: tail + input + scene)
    guard check(of: body) == line[4] else { throw .damaged }
    record.tail = ArraySlice(body[..<tail])
    record.input = ArraySlice(body[tail..<(tail + input)])
    if scene > 0 {
      guard let (x, y) = sceneOffset(slot), record.subscription != nil else { throw .damaged }
      record.scene = SceneRecord(text: ArraySlice(body[(tail + input)...]), x: x, y: y)
    }
    return record
  }

  /// Where in the file the bytes of a slot are that wait.
  package func bodyRange(of slot: Int) -> Range<Int> {
    layout.body(slot)..<(layout.body(slot) + layout.bodySize)
  }

  private func isSlot(_ slot: Int) -> Bool { slot >= 0 && slot < layout.slots }

  private func lock(of slot: Int) -> UInt64 { load(at: layout.slot(slot) + HandoverLayout.lock) }

  private func setLock(of slot: Int, _ value: UInt64) {
    store(value, at: layout.slot(slot) + HandoverLayout.lock)
  }

  private func check(of body: UnsafeMutableRawBufferPointer) -> UInt64 {
    var sum = Checksum()
    sum.add(UnsafeRawBufferPointer(body))
    return sum.value
  }

  private func body(of slot: Int, count: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: start + layout.body(slot), count: count)
  }

  // MARK: Words

  private func line(at offset: Int) -> HandoverLine { HandoverLine(start + offset) }

  private func load(at offset: Int) -> UInt64 { (start + offset).load(as: UInt64.self) }

  /// After everything that stands before it, and before everything behind it.
  private func store(_ word: UInt64, at offset: Int) {
    clinux_store_ordered((start + offset).assumingMemoryBound(to: UInt64.self), word)
  }
}
