import Motion

/// Makes rates of the angles that a device with `in_deltaangl_*` gives: the angle turned since the scan
/// before, divided by the time since then, so that rate · time is that angle again. Pure; times are
/// nanoseconds. A scan costs no allocation.
package struct DeltaRates: Equatable, Sendable {
  /// What came before a scan.
  package enum Interval: Equatable, Sendable {
    /// Nothing that the angle could belong to: the first scan, a pause, a clock that was set.
    case unknown
    /// The stamp is not later than the one before: the pipeline drops it, and counts that.
    case notLater
    case nanoseconds(Int64)
  }

  private let offset: Vector3
  /// The device's own period where it stamps nothing: times of arrival vary more than the scans do.
  private let period: Int64?
  private let gapLimit: Int64
  private var previous: Int64?

  /// - Parameters:
  ///   - offset: what the pipeline adds to a raw value.
  ///   - period: between two scans of a device that gives no stamps, where it is known.
  ///   - gapLimit: after a longer pause the angle's interval is not known.
  package init(offset: Vector3, periodNanoseconds period: Int64?, gapLimitNanoseconds gapLimit: Int64) {
    self.offset = offset
    self.period = period
    self.gapLimit = gapLimit
  }

  /// The interval that a scan's angle belongs to. Each scan is asked for, also one that is left out.
  @inline(__always)
  package mutating func interval(to stamp: Int64) -> Interval {
    if let period { return .nanoseconds(period) }
    guard let last = previous else {
      previous = stamp
      return .unknown
    }
    let (elapsed, overflow) = stamp.subtractingReportingOverflow(last)
    if !overflow, (-gapLimit...0).contains(elapsed) { return .notLater }
    previous = stamp
    return overflow || elapsed < 0 || elapsed > gapLimit ? .unknown : .nanoseconds(elapsed)
  }

  /// The raw value that, with offset and scale, is the mean rate over `nanoseconds`.
  @inline(__always)
  package func rate(of raw: Vector3, over nanoseconds: Int64) -> Vector3 {
    let seconds = Double(nanoseconds) / 1e9
    return Vector3(
      (raw.x + offset.x) / seconds - offset.x, (raw.y + offset.y) / seconds - offset.y,
      (raw.z + offset.z) / seconds - offset.z)
  }
}
