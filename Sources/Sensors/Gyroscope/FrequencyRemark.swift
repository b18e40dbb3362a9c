/// What there is to say of the frequency at which samples really come. Pure.
package enum FrequencyRemark {
  /// How far it may be from what was set: parts are a few percent off, and polls a little late.
  private static let tolerance = 0.2

  /// One sentence for people where it is far off; nil where it is not, or not known.
  ///
  /// - Parameters:
  ///   - expected: Hz, as the driver says, or as often as is polled; 0 where unknown.
  ///   - measured: Hz, from the stamps; nil before it is known.
  package static func text(expected: Double, measured: Double?) -> String? {
    guard let measured, expected > 0, abs(measured - expected) > tolerance * expected else { return nil }
    return "samples really come at \(short(measured)) Hz, not at \(short(expected)): the driver, or what "
      + "starts the scans, does not keep to what was set"
  }

  /// `387.9`
  private static func short(_ hertz: Double) -> String { "\((min(hertz, 1e9) * 10).rounded() / 10)" }
}
