import Glibc
import IIO
import Motion

/// An open buffer and all that turns its scans into samples. Nothing in it allocates or locks once it is
/// made.
///
/// It has one owner at a time: the worker makes it and destroys it; of a local buffer the loop owns it in
/// between (see `ReaderHandOver`).
struct ScanReader: ~Copyable {
  /// What one wake-up brought.
  struct Outcome {
    /// Scans that the device gave.
    var received = 0
    /// Samples to be delivered, from the start of `samples`.
    var delivered = 0
    /// CLOCK_MONOTONIC in nanoseconds, where scans were received.
    var arrival: Int64 = 0
    /// What cannot go on so.
    var notice: Notice?
  }

  /// What scans show of a sensor that is not well; it is to be opened another way.
  enum Notice: Sendable {
    /// It has begun to stand still.
    case stall(StallDetector.Stall)
    /// Its stamps are none.
    case wrongStamps
  }

  /// Scans taken in one wake-up at most; what is left wakes again.
  static let capacity = 64

  /// The samples of the last `read`, valid until the next.
  let samples: UnsafeMutablePointer<RawSample>
  /// Scans left out after the sensor was switched on.
  var settlingDropped: Int { intake.settling.dropped }
  /// What is done to a scan before it is delivered.
  private var intake: ScanIntake

  private let buffer: Buffer
  private let decoder: ScanDecoder
  private let hasTimestamps: Bool
  /// From one scan to the next as the device says, nanoseconds; 0 where unknown.
  private let spacing: Int64
  /// And as its stamps say.
  private(set) var observedSpacing = ObservedSpacing()
  private var stampCheck = StampCheck()
  /// Scans that the kernel holds for a reader that is late.
  let kernelScans: Int
  /// Whether the time of a scan does not depend on when it is read.
  var hasStampsOfOurClock: Bool { hasTimestamps && mapping == nil }
  /// Waits for scans, one refill at a time.
  private let isBlocking: Bool
  /// Of a device whose clock is not CLOCK_MONOTONIC.
  private var mapping: ClockMapping?
  private var arrivals: ArrivalTimes

  init(
    _ buffer: consuming Buffer, decoder: ScanDecoder, hasTimestamps: Bool,
    spacingNanoseconds: Int64, kernelScans: Int, isBlocking: Bool, mapping: ClockMapping?, intake: ScanIntake
  ) {
    self.buffer = buffer
    self.decoder = decoder
    self.hasTimestamps = hasTimestamps
    spacing = spacingNanoseconds
    self.kernelScans = kernelScans
    self.isBlocking = isBlocking
    self.mapping = mapping
    arrivals = ArrivalTimes(nominalSpacingNanoseconds: spacingNanoseconds)
    self.intake = intake
    samples = .allocate(capacity: Self.capacity)
  }

  deinit { samples.deallocate() }

  /// The buffer was switched off and on: the first scans are again those of a sensor that has not settled.
  mutating func restart() {
    intake.restart()
    if mapping != nil { mapping = ClockMapping() }
    arrivals = ArrivalTimes(nominalSpacingNanoseconds: spacing)
    stampCheck = StampCheck()
  }

  /// Ends a `read` in progress in the worker.
  func cancel() { buffer.cancel() }

  /// Takes what has come: everything where the buffer does not block, else one refill.
  ///
  /// - Parameters:
  ///   - wakesAgain: whether what is left wakes the caller, so that the kernel need not be asked for it.
  ///   - now: CLOCK_MONOTONIC in nanoseconds, asked for when the scans are there.
  mutating func read(wakesAgain: Bool, now: () -> Int64) throws(IIOError) -> Outcome {
    var outcome = Outcome()
    while outcome.received < Self.capacity {
      let count = try buffer.refill()
      if count == 0 { break }
      guard count % decoder.size == 0 else { throw IIOError(code: EIO, operation: "read whole scans") }
      decode(buffer.bytes, into: &outcome.received)
      outcome.arrival = now()
      if isBlocking { break }
      if wakesAgain, isNewest(count: outcome.received, arrival: outcome.arrival) { break }
    }
    guard outcome.received > 0 else { return outcome }
    let newest = samples[outcome.received - 1].timestampNanoseconds
    outcome.delivered = finish(count: outcome.received, arrival: outcome.arrival)
    outcome.notice = intake.takeStall().map { .stall($0) }
    if hasTimestamps {
      observedSpacing.observe(newest: newest, count: outcome.received)
      let isWrong = stampCheck.observe(newest: newest, count: outcome.received, arrival: outcome.arrival)
      if isWrong { outcome.notice = .wrongStamps }
    }
    return outcome
  }

  /// Whether the last scan is so fresh that another cannot have come: asking the kernel would only cost time.
  /// Where it is wrong, what is left wakes the loop again.
  private func isNewest(count: Int, arrival: Int64) -> Bool {
    guard hasTimestamps, mapping == nil, count > 0 else { return false }
    let (age, overflow) = arrival.subtractingReportingOverflow(samples[count - 1].timestampNanoseconds)
    return !overflow && age >= 0 && age < spacing
  }

  private func decode(_ bytes: UnsafeRawBufferPointer, into received: inout Int) {
    guard let start = bytes.baseAddress else { return }
    var offset = 0
    while offset + decoder.size <= bytes.count, received < Self.capacity {
      samples[received] = decoder.sample(at: start + offset)
      received += 1
      offset += decoder.size
    }
  }

  /// Gives the samples their times and leaves out those that do not count; how many stay.
  private mutating func finish(count: Int, arrival: Int64) -> Int {
    if !hasTimestamps {
      let spacing = arrivals.spacing(count: count, arrival: arrival)
      for index in 0..<count {
        samples[index].timestampNanoseconds = arrival - Int64(count - 1 - index) * spacing
      }
    } else if var clock = mapping {
      for index in 0..<count { clock.observe(stamp: samples[index].timestampNanoseconds, arrival: arrival) }
      for index in 0..<count {
        samples[index].timestampNanoseconds = clock.monotonic(samples[index].timestampNanoseconds)
      }
      mapping = clock
    }
    var kept = 0
    for index in 0..<count {
      var sample = samples[index]
      guard intake.admits(&sample, arrival: arrival) else { continue }
      // Not before its own place: an intake gives at most one sample for each scan.
      samples[kept] = sample
      kept += 1
    }
    return kept
  }
}

/// A `ScanReader` on its way between threads.
///
/// Sendable, since it has one owner at a time: the worker owns it until it has posted `opened`; then the
/// loop does, until it posts `close` for it; a loop that does not want it any more touches it no more.
struct ReaderHandOver: @unchecked Sendable {
  let reader: UnsafeMutablePointer<ScanReader>
  /// The descriptor to watch; the buffer's own.
  let descriptor: Int32
}
