import Motion
import Synchronization

/// Samples on their way from the worker to the loop: a fixed ring with one writer and one reader, no lock.
///
/// Sendable, since a slot belongs to the writer until `written` has passed it (released, acquired by the
/// reader), and to the reader until `taken` has (likewise); each counter has one thread that changes it.
final class SampleRing: @unchecked Sendable {
  private let slots: UnsafeMutablePointer<RawSample>
  private let capacity: Int
  private let written = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)

  init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
  }

  deinit { slots.deallocate() }

  /// Writer: adds a sample; false where the reader is so late that there is no room.
  func push(_ sample: RawSample) -> Bool {
    let end = written.load(ordering: .relaxed)
    guard end - taken.load(ordering: .acquiring) < capacity else { return false }
    slots[end % capacity] = sample
    written.store(end + 1, ordering: .releasing)
    return true
  }

  /// Reader: moves at most `room` samples to `target`; how many.
  func take(into target: UnsafeMutablePointer<RawSample>, room: Int) -> Int {
    let start = taken.load(ordering: .relaxed)
    let count = min(written.load(ordering: .acquiring) - start, room)
    for index in 0..<count { target[index] = slots[(start + index) % capacity] }
    taken.store(start + count, ordering: .releasing)
    return count
  }

  /// Writer: how many samples were added so far.
  var end: Int { written.load(ordering: .relaxed) }

  /// Reader: forgets all that was added before `end` was this, and is still in it; not what came later.
  func clear(before end: Int) { taken.store(end, ordering: .releasing) }

  /// Reader: forgets what is in it.
  func clear() { clear(before: written.load(ordering: .acquiring)) }
}
