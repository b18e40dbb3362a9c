/// What an axis shows, never empty: `low` is below `high` by more than a millionth of either.
package struct AxisRange: Equatable, Sendable {
  package private(set) var low: Double
  package private(set) var high: Double

  /// Numbers beyond it are drawn at it; below it nothing overflows.
  static let bound = 1e150

  /// Holds both numbers, and more where they are (nearly) the same.
  package init(_ one: Double, _ other: Double) {
    low = max(-Self.bound, min(one, other))
    high = min(Self.bound, max(one, other))
    let least = max(max(low.magnitude, high.magnitude) * 1e-6, 1e-9)
    if high - low < least {
      low -= least / 2
      high += least / 2
    }
  }

  package var span: Double { high - low }

  var middle: Double { low + span / 2 }

  /// The same with so much of its span added at either side.
  package func padded(by share: Double) -> AxisRange { AxisRange(low - share * span, high + share * span) }
}

/// From the numbers of an axis to the pixels of a picture.
struct Scale {
  let range: AxisRange
  /// Where `range.low` and `range.high` are.
  let start: Double
  let end: Double

  /// A value outside of the range is put at its end.
  func pixel(_ value: Double) -> Double {
    let share = (min(max(value, range.low), range.high) - range.low) / range.span
    return start + share * (end - start)
  }
}
