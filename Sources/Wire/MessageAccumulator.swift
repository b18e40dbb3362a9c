/// Turns the bytes of a connection, in whatever pieces they come, into messages. Pure and bounded.
///
/// Each byte is looked at once. Memory is taken when the first byte of a message comes and given back when
/// nothing waits; of the bytes in it, less than half have been handed out.
package struct MessageAccumulator: Sendable {
  /// How this connection's messages end; nil until that is known.
  package private(set) var form: MessageForm?
  /// What is wrong with the bytes after the messages that wait; nothing more is taken then.
  package private(set) var violation: FramingViolation?
  /// Messages completed since the connection began: a new one restarts the clock of unfinished messages.
  package private(set) var completed = 0

  private var scanner = MessageScanner()
  private var storage: [UInt8] = []
  /// The complete messages in `storage`, oldest first.
  private var waitingRanges: [Range<Int>] = []
  /// Where in `storage` the message in progress begins; the end of `storage` when there is none.
  private var start = 0

  /// - Parameter form: of a connection whose first message came to the process before.
  package init(form: MessageForm? = nil) { self.form = form }

  /// Complete messages that wait.
  package var waiting: Int { waitingRanges.count }

  /// Whether a message has begun and not ended.
  package var isUnfinished: Bool { violation == nil && start < storage.count }

  /// Bytes of memory in use, what has been handed out included: tests count it.
  var memory: Int { storage.count }

  /// Bytes kept for messages, complete or not.
  package var buffered: Int { bufferedBytes.count }

  /// The same, as they came: another accumulator of this form that takes them stands as this one does.
  package var bufferedBytes: ArraySlice<UInt8> { storage[(waitingRanges.first?.lowerBound ?? start)...] }

  /// Takes the bytes that have come in. After a violation it takes nothing.
  package mutating func append(_ bytes: UnsafeRawBufferPointer, limits: WireLimits) {
    guard violation == nil else { return }
    var position = storage.count
    storage.append(contentsOf: bytes)
    while position < storage.count {
      switch scanner.step(storage[position], form: form, maxNesting: limits.maxNesting) {
      case .blank: start = position + 1
      case .part:
        if position - start >= limits.maxMessage { return stop(.tooLong(limit: limits.maxMessage)) }
      case .end(let form):
        if waiting >= limits.maxPipelinedCalls {
          return stop(.tooManyWaiting(limit: limits.maxPipelinedCalls))
        }
        self.form = form
        waitingRanges.append(start..<position)
        completed += 1
        start = position + 1
      case .violation(let violation, let form):
        self.form = form
        return stop(violation)
      }
      position += 1
    }
    giveBackMemory()
  }

  /// No more bytes will come, or not in time: a message in progress becomes a violation.
  package mutating func finish() {
    if isUnfinished { stop(.unfinished) }
  }

  /// Hands the oldest complete message to `body`, whose memory is valid during the call; nil when none
  /// waits.
  package mutating func withNext<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard let range = waitingRanges.first else { return nil }
    waitingRanges.removeFirst()
    defer { giveBackMemory() }
    return storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  private mutating func stop(_ violation: FramingViolation) {
    self.violation = violation
    storage.removeSubrange(start...)
    giveBackMemory()
  }

  /// Drops what has been handed out; an idle connection keeps no buffer. While something complete waits that is done
  /// when half of the memory has been handed out, so that fewer bytes are moved than are dropped.
  private mutating func giveBackMemory() {
    let dropped = waitingRanges.first?.lowerBound ?? start
    if dropped >= storage.count {
      storage = []
      waitingRanges = []
    } else if dropped > 0, waitingRanges.isEmpty || 2 * dropped >= storage.count {
      storage.removeSubrange(..<dropped)
      for index in waitingRanges.indices {
        let range = waitingRanges[index]
        waitingRanges[index] = (range.lowerBound - dropped)..<(range.upperBound - dropped)
      }
    } else {
      return
    }
    start -= dropped
  }
}
