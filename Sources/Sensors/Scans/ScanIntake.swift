import Motion

/// What happens to a scan between the sensor and the pipeline, in this order: the first ones are left out
/// (`Settling`), those of a sensor that stands still (`StallDetector`) are too, angles become rates
/// (`DeltaRates`), and glitches are taken out (`MedianGuard`). Pure; a scan costs no allocation.
package struct ScanIntake: Equatable, Sendable {
  package private(set) var settling: Settling
  private var stalls: StallDetector?
  private var deltas: DeltaRates?
  private var median: MedianGuard?
  /// Whether a stall has begun that was not taken yet.
  private var isNew = false

  package init(
    settling: Settling, stalls: StallDetector? = nil, deltas: DeltaRates? = nil, median: MedianGuard? = nil
  ) {
    self.settling = settling
    self.stalls = stalls
    self.deltas = deltas
    self.median = median
  }

  /// The sensor was switched off and on again.
  package mutating func restart() {
    settling.restart()
    median?.reset()
  }

  /// Whether there is a sample to be delivered; it is then in place of the scan.
  @inline(__always)
  package mutating func admits(_ sample: inout RawSample, arrival: Int64) -> Bool {
    let interval = deltas?.interval(to: sample.timestampNanoseconds)
    guard settling.admits(stamp: sample.timestampNanoseconds, arrival: arrival) else { return false }
    if stalls != nil, !counts(sample.raw, arrival) { return false }
    if let interval, !becomesRate(&sample, interval) { return false }
    return median?.passes(&sample) ?? true
  }

  /// The stall that has begun since this was asked last.
  package mutating func takeStall() -> StallDetector.Stall? {
    guard isNew else { return nil }
    isNew = false
    return stalls?.stall
  }

  private mutating func counts(_ raw: Vector3, _ arrival: Int64) -> Bool {
    let was = stalls?.isStalled
    let counts = stalls?.admits(raw, arrival: arrival) ?? true
    if !counts, was == false {
      isNew = true
      median?.reset()
    }
    return counts
  }

  private func becomesRate(_ sample: inout RawSample, _ interval: DeltaRates.Interval) -> Bool {
    switch interval {
    case .unknown: return false
    case .notLater: return true
    case .nanoseconds(let elapsed):
      if let deltas { sample.raw = deltas.rate(of: sample.raw, over: elapsed) }
      return true
    }
  }
}

extension ScanIntake {
  /// - Parameters:
  ///   - model: offset, and scale: rad/s per unit, or radians where it gives angles.
  ///   - frequency: Hz, where it is known.
  ///   - givesAngles: whether each scan is the angle since the one before.
  ///   - givesStamps: whether the times of scans are the device's own.
  init(
    _ configuration: IIOConfiguration, model: SensorModel, frequency: Double?, givesAngles: Bool,
    givesStamps: Bool
  ) {
    let gapLimit = configuration.gapLimitNanoseconds(frequency: frequency)
    var scale = model.scale
    var deltas: DeltaRates?
    if givesAngles {
      let hertz = frequency ?? IIOConfiguration.defaultFrequency
      scale = Vector3(scale.x * hertz, scale.y * hertz, scale.z * hertz)
      let period = frequency.map { Int64(1e9 / max($0, 1e-3)) }
      deltas = DeltaRates(
        offset: model.offset, periodNanoseconds: givesStamps ? nil : period, gapLimitNanoseconds: gapLimit)
    }
    self.init(
      settling: Settling(durationNanoseconds: configuration.sensor.settleTimeNanoseconds),
      stalls: StallDetector(scale: scale, offset: model.offset, history: configuration.history.stalls),
      deltas: deltas,
      median: configuration.sensor.glitchGuard ? MedianGuard(gapLimitNanoseconds: gapLimit) : nil)
  }
}
