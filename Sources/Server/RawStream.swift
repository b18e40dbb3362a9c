import Wire

/// The scans of a raw subscriber that are not sent yet, in memory taken when it subscribes. Pure, so that it can
/// be tested without sockets.
///
/// What is kept is without a hole: once it is full everything is lost until all that was kept has been sent,
/// and the batch after that says how much.
final class RawStream {
  /// Scans that wait at most: 2.5 s of a sensor of 1600 Hz.
  static let capacity = 4096
  /// Scans in one message.
  static let largestBatch = 64

  private let scans: UnsafeMutablePointer<RawScan>
  private var first = 0
  /// Scans that wait.
  private(set) var waiting = 0
  /// Lost before the first that waits.
  private(set) var lostBefore: Int64 = 0
  /// Lost after the last that waits.
  private var lostAfter: Int64 = 0
  /// Whether the next message must be a header.
  private(set) var needsHeader = true
  private var hadHeader = false
  /// The kernel took nothing: no message is made until the socket is writable.
  var isBlocked = false

  /// Whether the daemon's stream had begun before this one.
  private(set) var isMidStream: Bool

  init(midStream: Bool = false) {
    isMidStream = midStream
    scans = .allocate(capacity: Self.capacity)
  }

  deinit { scans.deallocate() }

  /// Whether something can be sent.
  var isEmpty: Bool { waiting == 0 }

  /// Whether the header to be sent is not the first.
  var isRestarted: Bool { hadHeader }

  /// Whether the scans of a wake-up are kept, all of them; if not, they are counted as lost.
  func admits(count: Int) -> Bool {
    if waiting == 0 {
      lostBefore += lostAfter
      lostAfter = 0
    }
    guard lostAfter == 0, count <= Self.capacity - waiting else {
      lostAfter += Int64(count)
      return false
    }
    return true
  }

  /// Keeps a scan; `admits` has said that there is room.
  func append(_ scan: RawScan) {
    scans[(first + waiting) % Self.capacity] = scan
    waiting += 1
  }

  /// The stream begins anew: what waits belongs to the one before and is lost.
  func restart() {
    lostBefore += Int64(waiting) + lostAfter
    waiting = 0
    lostAfter = 0
    needsHeader = true
    isMidStream = false
  }

  /// The header that was owed is on its way.
  func didSendHeader() {
    needsHeader = false
    hadHeader = true
  }

  /// Scans of the next message.
  var batchCount: Int { min(waiting, Self.largestBatch) }

  /// One that waits, from the oldest.
  func scan(at index: Int) -> RawScan { scans[(first + index) % Self.capacity] }

  /// The next `count` are on their way, and so is what was lost before them.
  func didSend(count: Int) {
    first = (first + count) % Self.capacity
    waiting -= count
    lostBefore = 0
  }
}
