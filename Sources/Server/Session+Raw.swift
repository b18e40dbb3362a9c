import Motion
import Wire

extension Session {
  /// About as many messages as the kernel is to hold; more waits in the stream's own memory.
  private static let rawBacklog = 256

  /// Opens a raw stream. The header follows when there is something to be said.
  ///
  /// - Parameter midStream: whether scans of the daemon's stream have gone before.
  func subscribeRaw(midStream: Bool) {
    _ = SendBuffer.limit(descriptor, events: Self.rawBacklog)
    rawStream = RawStream(midStream: midStream)
  }

  /// The stream begins anew; what this subscriber has not got yet is lost to it.
  func restartRaw() { rawStream?.restart() }

  /// Takes the samples of a wake-up, and sends what can be sent.
  func offerRaw(_ samples: UnsafeBufferPointer<RawSample>) {
    guard !isFinished, !isClosing else { return }
    if rawStream?.admits(count: samples.count) == true {
      var index = 0
      while index < samples.count {
        let sample = samples[index]
        rawStream?.append(
          RawScan(
            timestampNanoseconds: sample.timestampNanoseconds, x: sample.raw.x, y: sample.raw.y,
            z: sample.raw.z))
        index += 1
      }
    }
    sendRaw()
  }

  /// Whether there are scans to be sent.
  private var rawIsWaiting: Bool { rawStream?.isEmpty == false }

  /// Sends the header if it is owed, and what waits, as far as the kernel takes it. Once it takes nothing no
  /// message is made any more until it does: a reader who has stopped costs next to nothing.
  func sendRaw() {
    guard rawStream?.isBlocked == false, output.isEmpty, !isFinished, sendRawHeader() else { return }
    while rawIsWaiting, output.isEmpty {
      guard sendRawBatch() else { return }
    }
  }

  /// - Returns: whether batches may follow.
  private func sendRawHeader() -> Bool {
    guard rawStream?.needsHeader == true else { return true }
    guard var header = server.delegate?.rawHeader else { return false }
    header.restart = rawStream?.isRestarted ?? false
    header.midStream = rawStream?.isMidStream ?? false
    guard sendNow(server.written { $0.appendReply(header, in: form) }) else { return false }
    rawStream?.didSendHeader()
    return true
  }

  private func sendRawBatch() -> Bool {
    let count = rawStream?.batchCount ?? 0
    let message = server.rawMessages.batch(
      count: count, dropped: rawStream?.lostBefore ?? 0, in: form
    ) { [unowned self] index in
      rawStream?.scan(at: index) ?? RawScan(timestampNanoseconds: 0, x: 0, y: 0, z: 0)
    }
    guard sendNow(message) else { return false }
    rawStream?.didSend(count: count)
    return true
  }

  /// - Returns: false where the kernel takes nothing, or where the session is finished.
  private func sendNow(_ message: [UInt8]) -> Bool {
    switch output.sendUnlessBlocked(message, to: descriptor) {
    case nil:
      rawStream?.isBlocked = true
      settle()
      return false
    case .broken:
      finish()
      return false
    case .done: return true
    case .blocked:
      settle()
      return true
    }
  }
}

/// The bytes of the batch that is being sent, in memory that is kept.
struct RawMessages {
  /// Bytes: above the longest batch, so that no later one makes the buffer grow: 20 for a time and 25 for each of
  /// three values.
  private static let capacity = RawStream.largestBatch * 100 + 256

  private var buffer = JSONBuffer()
  /// Batches that were made so far: tests count this work.
  private(set) var made = 0

  /// The reply for `count` scans, the oldest first, in memory that the next one takes.
  mutating func batch(count: Int, dropped: Int64, in form: MessageForm, scan: (Int) -> RawScan) -> [UInt8] {
    made += 1
    buffer.removeAll(reserving: Self.capacity)
    buffer.appendRawBatch(count: count, dropped: dropped, in: form, scan: scan)
    return buffer.bytes
  }
}
