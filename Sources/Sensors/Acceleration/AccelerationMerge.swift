import Motion

/// Puts accelerations that were read beside a gyroscope's scans to the scans of the same time: each to the first that
/// is not older. Pure, and allocates nothing once it is made.
struct AccelerationMerge: ~Copyable {
  /// What a loop that empties its buffer seldom may find (see `DrainPlan`): twenty seconds.
  static let capacity = 512

  private let waiting: UnsafeMutablePointer<RawSample>
  private var count = 0

  init() { waiting = .allocate(capacity: Self.capacity) }

  deinit { waiting.deallocate() }

  /// Takes what has come; where there is no room the oldest goes.
  mutating func take(from ring: SampleRing) {
    if count == Self.capacity { drop(Self.capacity / 2) }
    count += ring.take(into: waiting + count, room: Self.capacity - count)
  }

  /// Adds the accelerations that are due to `samples`, which are in the order of time.
  mutating func put(to samples: UnsafeMutablePointer<RawSample>, count sampleCount: Int) {
    var used = 0
    var index = 0
    while index < sampleCount, used < count {
      while used < count, waiting[used].timestampNanoseconds <= samples[index].timestampNanoseconds {
        samples[index].acceleration = waiting[used].acceleration
        used += 1
      }
      index += 1
    }
    if used > 0 { drop(used) }
  }

  /// Of another opening.
  mutating func clear(_ ring: SampleRing?) {
    ring?.clear()
    count = 0
  }

  private mutating func drop(_ number: Int) {
    var index = number
    while index < count {
      waiting[index - number] = waiting[index]
      index += 1
    }
    count -= number
  }
}
