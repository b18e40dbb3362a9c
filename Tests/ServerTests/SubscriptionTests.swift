import Testing

@testable import Server
@testable import Wire

@Suite struct SubscriptionTests {
  /// Which of the events go out to a reader that never blocks.
  func sent(_ options: SubscribeOptions, _ events: [MotionEvent], scale: Double = 0) -> [MotionEvent] {
    var subscription = Subscription(options)
    var lost: Int64 = 0
    var sent: [MotionEvent] = []
    for event in events {
      let view = subscription.view(of: event, reducedMotionScale: scale)
      if let due = subscription.offer(view, lost: &lost) {
        sent.append(due)
        subscription.didSend(due)
      }
    }
    #expect(lost == 0)
    return sent
  }

  func options(_ change: (inout SubscribeOptions) -> Void = { _ in }) -> SubscribeOptions {
    var options = SubscribeOptions()
    change(&options)
    return options
  }

  func event(_ sequence: Int64, x: Double = 0, milliseconds: Int64? = nil) -> MotionEvent {
    var event = MotionEvent()
    event.sequence = sequence
    event.timestampNanoseconds = (milliseconds ?? sequence * 10) * 1_000_000
    event.x = x
    event.state = .running
    return event
  }

  @Test func onlyChangesGoOut() {
    var gap = event(4, x: 1)
    gap.gap = true
    let events = [
      event(0), event(1), event(2, x: 1), event(3, x: 1), gap, event(5, x: 1), event(6, x: 1),
    ]
    #expect(sent(options(), events).map(\.sequence) == [0, 2, 4, 5])
    #expect(sent(options { $0.onlyChanges = false }, events).map(\.sequence) == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test func theIntervalGoesOnWhileOneIsHeld() {
    var subscription = Subscription(options { $0.minIntervalNanoseconds = 30_000_000 })
    var lost: Int64 = 0
    for sequence in 0..<10 {
      let view = subscription.view(of: event(Int64(sequence), x: Double(sequence)), reducedMotionScale: 0)
      if let due = subscription.offer(view, lost: &lost) { subscription.hold(due) }
    }
    // 0, 3 and 6 would have been sent before 9; what they stand for is lost.
    #expect(lost == subscription.heldEvent?.dropped)
    #expect(lost == 2)
    #expect(subscription.heldEvent?.sequence == 9)
  }

  @Test func aRateIsAChangeForThoseWhoSeeIt() {
    var second = event(1)
    second.rate = .init(x: 1, y: 0, z: 0)
    #expect(sent(options(), [event(0), second]).count == 1)
    #expect(sent(options { $0.wantsRate = true }, [event(0), second]).last?.rate?.x == 1)
  }

  @Test func aTiltIsAChangeForThoseWhoAskForIt() {
    var second = event(1)
    second.tilt = .init(x: 0.5, y: 0)
    #expect(sent(options(), [event(0), second]).count == 1)
    #expect(sent(options { $0.wantsTilt = true }, [event(0), second]).last?.tilt?.x == 0.5)
  }

  @Test(arguments: [(0.0, [0.0, 0.0]), (0.5, [0.25, -0.5])])
  func tiltIsReducedForOneself(_ scale: Double, _ tilt: [Double]) throws {
    var event = event(0)
    event.tilt = .init(x: 0.5, y: -1)
    let seen = try #require(
      sent(
        options {
          $0.reducedMotion = true
          $0.wantsTilt = true
        }, [event], scale: scale
      ).first?.tilt)
    #expect([seen.x, seen.y] == tilt)
  }

  @Test func theIntervalIsSampleTimeSinceTheLastSent() {
    let limited = options { $0.minIntervalNanoseconds = 30_000_000 }
    let events = (0..<10).map { event($0, x: Double($0)) }
    #expect(sent(limited, events).map(\.sequence) == [0, 3, 6, 9])
    // What stands still waits for a change, not for the next interval.
    let still = (0..<10).map { event($0, x: $0 < 4 ? 0 : 1) }
    #expect(sent(limited, still).map(\.sequence) == [0, 4])
    let all = options {
      $0.minIntervalNanoseconds = 30_000_000
      $0.onlyChanges = false
    }
    #expect(sent(all, still).map(\.sequence) == [0, 3, 6, 9])
  }

  @Test func statesPassAtOnce() {
    let limited = options { $0.minIntervalNanoseconds = 60_000_000_000 }
    var stalled = event(1)
    stalled.state = .stalled
    var reasoned = stalled
    reasoned.reason = .noData
    var reduced = reasoned
    reduced.reducedMotion = true
    #expect(sent(limited, [event(0), stalled, reasoned, reduced, reduced]).count == 4)
  }

  @Test func aPanPassesAtOnceAndSoDoesTimeThatGoesBack() {
    let limited = options { $0.minIntervalNanoseconds = 60_000_000_000 }
    #expect(sent(limited, [event(5), event(5, x: 3), event(5, x: 3), event(6, x: 4)]).map(\.x) == [0, 3])
    let lap = [
      event(5, milliseconds: 100), event(6, x: 1, milliseconds: 0), event(7, x: 2, milliseconds: 10),
    ]
    #expect(sent(limited, lap).map(\.sequence) == [5, 6])
    let extremes = [Int64.min, Int64.max].map { stamp in
      var event = event(stamp == .min ? 0 : 1, x: stamp == .min ? 0 : 1)
      event.timestampNanoseconds = stamp
      return event
    }
    #expect(sent(limited, extremes).count == 2)
  }

  @Test func aGapIsToldWithTheNextEventSent() {
    let limited = options { $0.minIntervalNanoseconds = 30_000_000 }
    var gap = event(1, x: 1)
    gap.gap = true
    let events = sent(limited, [event(0), gap, event(2, x: 2), event(3, x: 3), event(6, x: 6)])
    #expect(events.map(\.sequence) == [0, 3, 6])
    #expect(events.map(\.gap) == [false, true, false])
  }

  /// The matrix R of the processing order applied to the rate, and the offset that such rates add up to.
  @Test(arguments: [
    (0, [3.0, 5.0], [1.0, 2.0]), (90, [-5.0, 3.0], [2.0, -1.0]), (180, [-3.0, -5.0], [-1.0, -2.0]),
    (270, [5.0, -3.0], [-2.0, 1.0]),
  ])
  func rotationTurnsOffsetTiltAndRate(_ degrees: Int, _ offset: [Double], _ rate: [Double]) throws {
    var event = event(0, x: 3)
    event.y = 5
    event.rate = .init(x: 1, y: 2, z: 7)
    event.tilt = .init(x: 3, y: 5)
    let turned = try #require(
      sent(
        options {
          $0.screenRotation = degrees
          $0.wantsRate = true
          $0.wantsTilt = true
        }, [event]
      ).first)
    #expect([turned.x, turned.y] == offset)
    #expect([turned.tilt?.x, turned.tilt?.y] == offset)
    #expect(turned.rate == .init(x: rate[0], y: rate[1], z: 7))
    // A neutral offset stays +0.
    let neutral = try #require(sent(options { $0.screenRotation = degrees }, [self.event(0)]).first)
    #expect(neutral.x.sign == .plus && neutral.y.sign == .plus)
  }

  @Test func reducedForOneself() throws {
    let reduced = options {
      $0.reducedMotion = true
      $0.wantsRate = true
    }
    var moving = event(1, x: 8)
    moving.rate = .init(x: 1, y: 1, z: 1)
    let none = try #require(sent(reduced, [moving]).first)
    #expect(none.x == 0 && none.rate == nil && none.state == .reduced && none.reason == .user)
    #expect(sent(reduced, [moving, event(2, x: 9)]).count == 1)
    let subtle = try #require(sent(reduced, [moving], scale: 0.25).first)
    #expect(subtle.x == 2 && subtle.rate != nil && subtle.state == .running && subtle.reducedMotion)
    // Where the system is reduced already the offset is scaled once.
    moving.reducedMotion = true
    #expect(sent(reduced, [moving], scale: 0.25).first?.x == 8)
    #expect(reduced.wantsNoMotion(reducedMotionScale: 0))
    #expect(!reduced.wantsNoMotion(reducedMotionScale: 0.25))
    #expect(!options().wantsNoMotion(reducedMotionScale: 0))
  }

  @Test func whatIsHeldIsReplacedAndCounted() {
    var subscription = Subscription(options())
    var lost: Int64 = 0
    func offer(_ event: MotionEvent) -> MotionEvent? { subscription.offer(event, lost: &lost) }
    if let first = offer(event(0)) { subscription.didSend(first) }
    // Three updates in one event, held back.
    if let due = offer(event(3, x: 1)) { subscription.hold(due) }
    #expect(offer(event(4, x: 2)) == nil)
    #expect(lost == 3)
    // Like the one that is held: it takes its place, and nothing is lost by that.
    #expect(offer(event(6, x: 2)) == nil)
    #expect(lost == 3)
    #expect(offer(event(7, x: 3)) == nil)
    #expect(lost == 4)
    let held = subscription.heldEvent
    #expect(held?.sequence == 7 && held?.x == 3 && held?.dropped == 4)
    if let held { subscription.didSend(held) }
    #expect(offer(event(8, x: 4))?.dropped == 0)
  }

  /// A pan while an event is held takes its place, and the updates in it go out all the same.
  @Test func aPanInThePlaceOfWhatIsHeld() {
    var subscription = Subscription(options())
    var lost: Int64 = 0
    for held in [event(0), event(4, x: 1), event(4, x: 7)] {
      if let due = subscription.offer(held, lost: &lost) {
        if held.sequence == 0 { subscription.didSend(due) } else { subscription.hold(due) }
      }
    }
    #expect(subscription.heldEvent?.x == 7 && subscription.heldEvent?.dropped == 0 && lost == 0)
    _ = subscription.offer(event(5, x: 2), lost: &lost)
    #expect(subscription.heldEvent?.dropped == 4 && lost == 4)
  }
}
