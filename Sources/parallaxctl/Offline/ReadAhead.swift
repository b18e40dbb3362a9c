import Glibc
import Linux
import Motion
import Traces

/// Reads a trace on a thread of its own, some thousand rows ahead of who takes them: reading numbers is half
/// of the work of `process`, and the other half need not wait for it.
///
/// `next()` and `finish()` are called by one thread, which must call `finish()` in the end.
// Unchecked: a slot is the reading thread's from a wait for `free` to a post of `filled`, and the taker's from
// a wait for `filled` to a post of `free`; the semaphores order what each has written before the other looks.
// The reader is the reading thread's alone after `init`, `current` and `isHeld` are the taker's.
final class ReadAhead: @unchecked Sendable {
  /// Rows in their order, valid until the next call.
  struct Batch {
    let rows: UnsafeBufferPointer<RawSample>
    /// Bytes of the file that were read for all rows so far.
    let bytesRead: Int64
  }

  private struct Slot {
    let rows = UnsafeMutableBufferPointer<RawSample>.allocate(capacity: ReadAhead.rowsPerSlot)
    /// Broken rows that were left out before each of them.
    let skippedBefore = UnsafeMutableBufferPointer<Int>.allocate(capacity: ReadAhead.rowsPerSlot)
    var count = 0
    var bytesRead: Int64 = 0
    /// Nothing comes after it.
    var isLast = false
    /// What ended it.
    var error: TraceError?
    /// The taker wants no more.
    var isRefused = false
  }

  /// 64 KiB of samples: they are still in the cache when they are taken.
  private static let rowsPerSlot = 1024
  private static let slotCount = 4

  let model: SensorModel
  /// Of a recording of ours.
  let recordedSensor: RecordedSensor?
  let path: String
  let bytesTotal: Int64
  /// Broken rows that were left out, once the last batch has been taken, or none is wanted any more.
  private(set) var skippedRows = 0

  private var reader: TraceReader
  private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: ReadAhead.slotCount)
  private let free = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let filled = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private var thread = pthread_t()
  private var isRunning = false
  private var current = 0
  private var isHeld = false

  /// Begins to read.
  init(_ reader: consuming TraceReader) throws(CommandError) {
    model = reader.model
    recordedSensor = reader.layout.recordedSensor
    path = reader.path
    bytesTotal = reader.bytesTotal
    self.reader = reader
    for index in 0..<Self.slotCount { (slots + index).initialize(to: Slot()) }
    sem_init(free, 0, UInt32(Self.slotCount))
    sem_init(filled, 0, 0)
    let code = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<ReadAhead>.fromOpaque(context).takeUnretainedValue().read() }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    guard code == 0 else {
      throw CommandError(ExitCode.failure, "cannot start a thread: \(String(cString: strerror(code)))")
    }
    isRunning = true
  }

  deinit {
    finish()
    for index in 0..<Self.slotCount {
      slots[index].rows.deallocate()
      slots[index].skippedBefore.deallocate()
    }
    slots.deinitialize(count: Self.slotCount)
    slots.deallocate()
    free.deallocate()
    filled.deallocate()
  }

  /// The next rows; nil after the last. A broken row is thrown after the rows before it.
  func next() throws(CommandError) -> Batch? {
    if isHeld {
      if slots[current].isLast { return try end() }
      isHeld = false
      sem_post(free)
      current = (current + 1) % Self.slotCount
    }
    Self.wait(filled)
    isHeld = true
    let slot = slots[current]
    if slot.count == 0 { return try end() }
    return Batch(rows: UnsafeBufferPointer(rebasing: slot.rows[..<slot.count]), bytesRead: slot.bytesRead)
  }

  /// Of the present batch so many rows are wanted, one at least, and nothing behind them.
  func leave(after count: Int) {
    guard isHeld, (1...slots[current].count).contains(count) else { return }
    skippedRows = slots[current].skippedBefore[count - 1]
    finish()
  }

  /// Reads no further, and waits for the thread to end.
  func finish() {
    guard isRunning else { return }
    isRunning = false
    if !isHeld { Self.wait(filled) }
    // The thread comes to this slot when it has filled those before it, unless it has ended.
    slots[current].isRefused = true
    sem_post(free)
    pthread_join(thread, nil)
  }

  private func end() throws(CommandError) -> Batch? {
    finish()
    skippedRows = reader.skippedRows
    if let error = slots[current].error { throw CommandError(ExitCode.failure, error.description) }
    return nil
  }

  /// The thread: fills one slot after the other.
  private func read() {
    var index = 0
    repeat {
      Self.wait(free)
      if slots[index].isRefused { return }
      Self.fill(&slots[index], from: &reader)
      let isLast = slots[index].isLast
      sem_post(filled)
      if isLast { return }
      index = (index + 1) % Self.slotCount
    } while true
  }

  private static func fill(_ slot: inout Slot, from reader: inout TraceReader) {
    var count = 0
    do throws(TraceError) {
      while count < slot.rows.count {
        guard let row = try reader.next() else {
          slot.isLast = true
          break
        }
        slot.rows[count] = row
        slot.skippedBefore[count] = reader.skippedRows
        count += 1
      }
    } catch {
      slot.isLast = true
      slot.error = error
    }
    slot.count = count
    slot.bytesRead = reader.bytesRead
  }

  private static func wait(_ semaphore: UnsafeMutablePointer<sem_t>) {
    while sem_wait(semaphore) == -1 && errno == EINTR {}
  }
}
