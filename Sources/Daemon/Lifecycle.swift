import Wire

/// The rules of the lifecycle, without doing anything: what the daemon presents to its subscribers, and
/// whether the sensor is wanted, from what is known at the moment.
///
///     idle (no subscriber) → starting → running → idle;   reduced;   waiting;   stalled
package struct Lifecycle: Equatable, Sendable {
  /// What the source has last said of itself.
  package enum Source: Equatable, Sendable {
    /// Not started, or given back.
    case off
    /// Started; no scan yet.
    case starting
    /// Scans come.
    case running
    case failed(StateReason)
    /// The replay has played its last row.
    case ended
  }

  /// Who says that motion is reduced; the token that subscribers see.
  package enum ReducedBy: Equatable, Sendable {
    case nobody, configuration, user

    var reason: StateReason? {
      switch self {
      case .nobody: nil
      case .configuration: .configuration
      case .user: .user
      }
    }
  }

  package var subscribers = 0
  /// Those of `subscribers` that asked for reduced motion for themselves.
  package var reducedSubscribers = 0
  /// Measurements of the bias that go on.
  package var calibrations = 0
  package var configurationReduces = false
  /// The run-time switch; nil: the configuration's.
  package var switchReduces: Bool?
  /// Connections that hold reduced motion on.
  package var holds = 0
  package var reducedMotionScale = 0.0
  package var source = Source.off
  /// The machine is about to sleep, or has just woken up.
  package var isSuspended = false
  /// The daemon is about to end: nothing is switched on any more.
  package var isLeaving = false

  package init() {}

  /// For everybody; a subscriber's own wish is not in it.
  package var reducedBy: ReducedBy {
    if holds > 0 || switchReduces == true { return .user }
    return switchReduces == nil && configurationReduces ? .configuration : .nobody
  }

  package var isReduced: Bool { reducedBy != .nobody }

  /// Whether the sensor is to be on.
  package var sensorWanted: Bool { !isSuspended && (hasAudience || isCalibrating) }

  /// Whether the sensor is wanted for a measurement: not where reduced motion lets it sleep.
  private var isCalibrating: Bool {
    calibrations > 0 && !isLeaving && (!isReduced || reducedMotionScale > 0)
  }

  /// Why the bias cannot be measured, as far as is known; nil where it may be tried.
  package var calibrationRefusal: StateReason? {
    if isReduced, reducedMotionScale == 0 { return reducedBy.reason }
    if isSuspended { return .suspended }
    switch source {
    case .off, .starting, .running: return nil
    case .failed(let reason): return reason
    case .ended: return .replayEnded
    }
  }

  /// Whether anybody would see what the sensor says.
  private var hasAudience: Bool {
    if isLeaving { return false }
    if reducedMotionScale > 0 { return subscribers > 0 }
    return !isReduced && subscribers > reducedSubscribers
  }

  package var state: MotionState {
    guard subscribers > 0 || isCalibrating else { return .idle }
    guard hasAudience || subscribers == 0 else { return .reduced }
    guard !isSuspended else { return .waiting }
    switch source {
    case .off, .starting: return .starting
    case .running: return .running
    case .failed(.noData): return .stalled
    case .failed, .ended: return .waiting
    }
  }

  package var reason: StateReason? {
    switch state {
    case .idle, .starting, .running: return nil
    case .reduced: return reducedBy.reason ?? .user
    case .waiting, .stalled:
      if isSuspended { return .suspended }
      if case .failed(let reason) = source { return reason }
      return .replayEnded
    }
  }
}
