import Testing
import Wire

@testable import Daemon

@Suite struct LifecycleTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let make: @Sendable (inout Lifecycle) -> Void
    let wanted: Bool
    let state: MotionState
    var reason: StateReason?
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "nobody", make: { _ in }, wanted: false, state: .idle),
    Case(name: "nobody, reduced", make: { $0.configurationReduces = true }, wanted: false, state: .idle),
    Case(name: "a calibration", make: { $0.calibrations = 1 }, wanted: true, state: .starting),
    Case(
      name: "a calibration, scans",
      make: {
        $0.calibrations = 1
        $0.source = .running
      }, wanted: true, state: .running),
    Case(
      name: "a calibration, reduced",
      make: {
        $0.calibrations = 1
        $0.configurationReduces = true
      }, wanted: false, state: .idle),
    Case(
      name: "a calibration while all are reduced for themselves",
      make: {
        $0.calibrations = 1
        $0.subscribers = 1
        $0.reducedSubscribers = 1
        $0.source = .running
      }, wanted: true, state: .reduced, reason: .user),
    Case(
      name: "a calibration at the end",
      make: {
        $0.calibrations = 1
        $0.isLeaving = true
      }, wanted: false, state: .idle),
    Case(name: "one", make: { $0.subscribers = 1 }, wanted: true, state: .starting),
    Case(
      name: "one, scans",
      make: {
        $0.subscribers = 1
        $0.source = .running
      }, wanted: true, state: .running),
    Case(
      name: "one, by configuration",
      make: {
        $0.subscribers = 1
        $0.configurationReduces = true
      }, wanted: false, state: .reduced, reason: .configuration),
    Case(
      name: "switched off over the configuration",
      make: {
        $0.subscribers = 1
        $0.configurationReduces = true
        $0.switchReduces = false
      }, wanted: true, state: .starting),
    Case(
      name: "held over the switch",
      make: {
        $0.subscribers = 1
        $0.switchReduces = false
        $0.holds = 1
      }, wanted: false, state: .reduced, reason: .user),
    Case(
      name: "all for themselves",
      make: {
        $0.subscribers = 2
        $0.reducedSubscribers = 2
        $0.source = .running
      }, wanted: false, state: .reduced, reason: .user),
    Case(
      name: "one of two for itself",
      make: {
        $0.subscribers = 2
        $0.reducedSubscribers = 1
        $0.source = .running
      }, wanted: true, state: .running),
    Case(
      name: "subtle keeps the sensor on",
      make: {
        $0.subscribers = 1
        $0.switchReduces = true
        $0.reducedMotionScale = 0.3
        $0.source = .running
      }, wanted: true, state: .running),
    Case(
      name: "no device",
      make: {
        $0.subscribers = 1
        $0.source = .failed(.noDevice)
      }, wanted: true, state: .waiting, reason: .noDevice),
    Case(
      name: "silent",
      make: {
        $0.subscribers = 1
        $0.source = .failed(.noData)
      }, wanted: true, state: .stalled, reason: .noData),
    Case(
      name: "played",
      make: {
        $0.subscribers = 1
        $0.source = .ended
      }, wanted: true, state: .waiting, reason: .replayEnded),
    Case(
      name: "asleep",
      make: {
        $0.subscribers = 1
        $0.source = .failed(.noData)
        $0.isSuspended = true
      }, wanted: false, state: .waiting, reason: .suspended),
    Case(
      name: "asleep, and reduced anyway",
      make: {
        $0.subscribers = 1
        $0.switchReduces = true
        $0.isSuspended = true
      }, wanted: false, state: .reduced, reason: .user),
    Case(
      name: "asleep, and nobody there",
      make: { $0.isSuspended = true }, wanted: false, state: .idle),
  ])
  func presents(_ given: Case) {
    var lifecycle = Lifecycle()
    given.make(&lifecycle)
    #expect(lifecycle.sensorWanted == given.wanted)
    #expect(lifecycle.state == given.state)
    #expect(lifecycle.reason == given.reason)
  }
}
