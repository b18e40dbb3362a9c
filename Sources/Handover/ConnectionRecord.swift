import Wire

/// What the next daemon must know of a connection to go on with it.
package struct ConnectionRecord: Equatable, Sendable {
  package var form = MessageForm.varlink
  /// Of the stream that is open.
  package var subscription: SubscribeOptions?
  /// Whether it holds reduced motion on.
  package var isHolding = false
  /// The page that it has open.
  package var page: PageKind?
  /// What the kernel has not taken yet of what must be sent, from the middle of a message perhaps.
  package var tail: ArraySlice<UInt8> = []
  /// What came and waits for its turn, messages with their ends.
  package var input: ArraySlice<UInt8> = []
  /// Updates that the subscriber has missed since its last event.
  package var lost: Int64 = 0
  /// Of a stream that has one.
  package var scene: SceneRecord?

  package init() {}
}

/// A stream's scene and where it stands.
package struct SceneRecord: Equatable, Sendable {
  /// What it is, as JSON.
  package var text: ArraySlice<UInt8>
  /// The scene's own offset, points.
  package var x: Double
  package var y: Double

  package init(text: ArraySlice<UInt8>, x: Double, y: Double) {
    self.text = text
    self.x = x
    self.y = y
  }
}

/// Of the two pages at most.
package enum PageKind: Sendable { case withRates, withoutRates }

// The words of a connection's line: 0 the cookie, 1 flags, 2 min_interval,
// 3 lengths of what waits, 4 the check of the body, 5 the length of the scene.
extension ConnectionRecord {
  private enum Flag {
    static let jsonLines: UInt64 = 1 << 0
    static let stream: UInt64 = 1 << 1
    static let holding: UInt64 = 1 << 2
    static let onlyChanges: UInt64 = 1 << 3
    static let rate: UInt64 = 1 << 4
    static let reducedMotion: UInt64 = 1 << 5
    static let page: UInt64 = 1 << 6
    static let pageRates: UInt64 = 1 << 7
    static let rotation = 8
    static let tilt: UInt64 = 1 << 10
    static let backlog = 16
    static let all: UInt64 = 0xff | 0x3 << 8 | tilt | 0xffff << 16
  }

  private static let longestInterval: Int64 = 60_000_000_000

  /// Everything but the bytes that wait; nil where a daemon writes no such thing.
  init?(_ line: HandoverLine) {
    let flags = line[1]
    guard flags & ~Flag.all == 0 else { return nil }
    form = flags & Flag.jsonLines == 0 ? .varlink : .jsonLines
    isHolding = flags & Flag.holding != 0
    if flags & Flag.page != 0 { page = flags & Flag.pageRates != 0 ? .withRates : .withoutRates }
    guard flags & Flag.stream != 0 else { return }
    var options = SubscribeOptions()
    options.minIntervalNanoseconds = Int64(bitPattern: line[2])
    options.onlyChanges = flags & Flag.onlyChanges != 0
    options.wantsRate = flags & Flag.rate != 0
    options.wantsTilt = flags & Flag.tilt != 0
    options.reducedMotion = flags & Flag.reducedMotion != 0
    options.screenRotation = Int(flags >> Flag.rotation & 3) * 90
    options.backlog = Int(flags >> Flag.backlog & 0xffff)
    guard (0...Self.longestInterval).contains(options.minIntervalNanoseconds),
      (1...1024).contains(options.backlog)
    else { return nil }
    subscription = options
  }

  /// All that `init(_:)` reads; the caller seals the line.
  func write(to line: HandoverLine) {
    var flags: UInt64 = form == .jsonLines ? Flag.jsonLines : 0
    if isHolding { flags |= Flag.holding }
    if let page { flags |= page == .withRates ? Flag.page | Flag.pageRates : Flag.page }
    if let subscription {
      flags |= Flag.stream
      if subscription.onlyChanges { flags |= Flag.onlyChanges }
      if subscription.wantsRate { flags |= Flag.rate }
      if subscription.wantsTilt { flags |= Flag.tilt }
      if subscription.reducedMotion { flags |= Flag.reducedMotion }
      flags |= UInt64(subscription.screenRotation / 90) << Flag.rotation
      flags |= UInt64(subscription.backlog) << Flag.backlog
    }
    line[1] = flags
    line[2] = UInt64(bitPattern: subscription?.minIntervalNanoseconds ?? 0)
  }
}
