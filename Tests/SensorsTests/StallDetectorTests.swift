import Motion
import TestSupport
import Testing

@testable import Sensors

@Suite struct StallDetectorTests {
  static let second: Int64 = 1_000_000_000
  /// A usual sensor's, and a coarse one's, rad/s per unit.
  static let fine = 0.001
  static let coarse = 0.02

  /// Feeds scans at 100 Hz and says when the first was withheld, in seconds from the first of the last value.
  private struct Feed {
    var detector: StallDetector
    var now: Int64 = 5 * second

    init(scale: Double, history: StallDetector.History = .init()) {
      detector = StallDetector(scale: Vector3(repeating: scale), offset: .zero, history: history)
    }

    /// Scans that change by `step` units.
    mutating func moves(_ scans: Int, by step: Double = 1) {
      for scan in 0..<scans {
        now += second / 100
        let counts = detector.admits(Vector3(Double(scan % 2) * step, 7, -9), arrival: now)
        #expect(counts)
      }
    }

    /// One scan again and again; seconds until it is withheld.
    mutating func stands(at raw: Vector3, for seconds: Int64, hertz: Int64 = 100) -> Double? {
      var start: Int64?
      for _ in 0..<seconds * hertz {
        now += second / hertz
        start = start ?? now
        if !detector.admits(raw, arrival: now) { return Double(now - (start ?? now)) / 1e9 }
      }
      return nil
    }
  }

  @Test func movedAndThenStill() {
    var feed = Feed(scale: Self.fine)
    feed.moves(20)
    let first = feed.stands(at: Vector3(3, 7, -9), for: 60)
    #expect(first == 2)
    #expect(feed.detector.isStalled)
    #expect(
      feed.detector.stall == .init(raw: Vector3(3, 7, -9), nanoseconds: 2 * Self.second, isOld: false))
    // Withheld until a scan differs, which counts.
    let next = feed.stands(at: Vector3(3, 7, -9), for: 1)
    #expect(next == 0)
    feed.moves(1)
    #expect(!feed.detector.isStalled && feed.detector.stall == nil)
  }

  struct Case {
    var what: String
    var scale = fine
    var moves = 0
    var step = 1.0
    var raw = Vector3(1, 2, 3)
    var hertz: Int64 = 100
    /// Seconds until it is a stall; nil: never.
    var after: Double?
  }

  @Test(arguments: [
    Case(what: "dead from the start", after: 10),
    Case(what: "zeros from the start", raw: .zero, after: 10),
    Case(what: "one change", moves: 2, after: 10),
    Case(what: "a hundred scans at the least", moves: 20, hertz: 10, after: 9.9),
    Case(what: "coarse by its scale, at rest", scale: coarse, after: nil),
    Case(what: "coarse by its scale, moved, at rest", scale: coarse, moves: 20, after: nil),
    Case(what: "coarse, at a value that is motion", scale: coarse, raw: Vector3(0, 100, 0), after: 10),
    Case(what: "coarse by what was seen", moves: 20, step: 10, raw: Vector3(0, 7, -9), after: nil),
    Case(
      what: "fine by its scale, steps of 10 units, in motion", moves: 20, step: 10, raw: Vector3(500, 7, -9),
      after: 10),
    Case(what: "scale unknown", scale: 1, raw: Vector3(1, 0, -1), after: nil),
  ])
  func patience(of one: Case) {
    var feed = Feed(scale: one.scale)
    feed.moves(one.moves, by: one.step)
    let after = feed.stands(at: one.raw, for: 200, hertz: one.hertz)
    #expect(after == one.after, "\(one.what)")
  }

  /// A hub that reports nothing while it rests is called stalled ever later, and at last not any more.
  @Test func aQuietHubDoesNotFlap() throws {
    var history = StallDetector.History()
    var waited: [Double] = []
    for _ in 0..<8 {
      var feed = Feed(scale: Self.fine, history: history)
      feed.moves(20)
      let after = feed.stands(at: Vector3(0, 1, 0), for: 200)
      waited.append(try #require(after))
      history.stalls += 1
    }
    #expect(waited == [2, 4, 8, 16, 32, 64, 120, 120])

    var feed = Feed(scale: Self.fine)
    feed.moves(20)
    for seconds in [1, 2, 5, 14, 40] as [Int64] {
      let after = feed.stands(at: Vector3(0, Double(seconds), 0), for: seconds)
      #expect(after == nil, "\(seconds)")
      feed.moves(2)
    }
  }

  /// Opened anew for a scan: the same again is withheld at once, any other counts.
  @Test func openedAnew() {
    var history = StallDetector.History()
    history.suspect = Vector3(5, 6, 7)
    var same = Feed(scale: Self.fine, history: history)
    let atOnce = same.stands(at: Vector3(5, 6, 7), for: 1)
    #expect(atOnce == 0)
    #expect(same.detector.stall?.isOld == true)
    same.moves(1)
    #expect(!same.detector.isStalled)
    let later = same.stands(at: Vector3(5, 6, 7), for: 1)
    #expect(later == nil)

    var other = Feed(scale: Self.fine, history: history)
    other.moves(1)
    let others = other.stands(at: Vector3(5, 6, 7), for: 1)
    #expect(others == nil)
  }

  /// Noise of one unit, as a sensor at rest has, is never a stall.
  @Test func restIsNoStall() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix64(seed: seed)
    var detector = StallDetector(scale: Vector3(repeating: Self.fine), offset: .zero, history: .init())
    for scan in 0..<200_000 {
      let raw = Vector3(
        Double(Int.random(in: 0...3, using: &generator) / 3),
        Double(Int.random(in: 0...3, using: &generator) / 3),
        0)
      let counts = detector.admits(raw, arrival: Int64(scan) * 1_000_000)
      #expect(counts, "seed \(seed), scan \(scan)")
    }
  }
}
