import Motion

/// Which numbers a setting takes. NaN never.
package struct NumberBounds: Equatable, Sendable {
  package var lower: Double
  package var upper: Double
  /// Whether the numbers begin only above `lower`.
  package var excludesLower = false
  /// Whether the numbers end only below `upper`.
  package var excludesUpper = false
  /// Whether 0, which lies below, is allowed too.
  package var allowsZero = false

  /// `lower...upper`
  package static func from(_ lower: Double, to upper: Double) -> NumberBounds {
    NumberBounds(lower: lower, upper: upper)
  }

  /// 0, or `lower...upper`.
  package static func zero(orFrom lower: Double, to upper: Double) -> NumberBounds {
    NumberBounds(lower: lower, upper: upper, allowsZero: true)
  }

  /// Above 0, up to infinity.
  package static let positiveOrInfinite = NumberBounds(lower: 0, upper: .infinity, excludesLower: true)

  /// Above 0 and finite.
  package static let positive = NumberBounds(
    lower: 0, upper: .infinity, excludesLower: true, excludesUpper: true)

  /// Whether a number is within; NaN is not.
  package func contains(_ number: Double) -> Bool {
    if allowsZero, number == 0 { return true }
    return (excludesLower ? number > lower : number >= lower)
      && (excludesUpper ? number < upper : number <= upper)
  }

  /// The value as a number within the bounds; nil: none.
  func checked(_ value: TOMLValue) -> TOMLValue? {
    let number: Double
    switch value {
    case .number(let given): number = given
    case .integer(let given): number = Double(given)
    default: return nil
    }
    // −0 is 0: a sign that nobody sees must not reach a result.
    return contains(number) ? .number(number == 0 ? 0 : number) : nil
  }

  /// `0 to 10`
  var span: String { "\(lower.plain) to \(upper.plain)" }

  /// `a number from 0 to 10`
  var allowed: String {
    let range =
      switch (excludesLower, upper) {
      case (true, .infinity): "a number above \(lower.plain)\(excludesUpper ? "" : ", or inf")"
      default: "a number from \(span)"
      }
    return allowsZero ? "0, or \(range)" : range
  }
}
