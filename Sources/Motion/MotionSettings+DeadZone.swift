extension MotionSettings {
  /// D: what the dead zone leaves of a rate about one axis, rad/s.
  ///
  /// `hard` passes the whole rate above θ (strictly). `soft` begins at 0 there and meets the whole rate at
  /// θ + ρ, so that nothing jumps; with ρ = 0 it is hard.
  @inline(__always)
  package func passed(_ rate: Double) -> Double {
    let magnitude = rate.magnitude
    guard magnitude > threshold else { return 0 }
    guard deadZone == .soft, magnitude < threshold + thresholdRecovery else { return rate }
    let eased = (magnitude - threshold) * (threshold + thresholdRecovery) / thresholdRecovery
    return rate < 0 ? -eased : eased
  }
}
