import Glibc

/// Where an axis has its marks: whole multiples of 1, 2 or 5 times a power of ten, with their texts.
package struct Ticks: Equatable, Sendable {
  package struct Tick: Equatable, Sendable {
    package let value: Double
    package let label: String
  }

  package let ticks: [Tick]

  /// What is as near to a multiple is one: 0.3 / 0.1 is a little less than 3.
  private static let hair = 1e-9

  /// - Parameters:
  ///   - range: what the axis shows.
  ///   - count: at most so many, 2 at least.
  package init(_ range: AxisRange, atMost count: Int) {
    let (unit, exponent) = Self.step(range.high / Double(max(2, count)) - range.low / Double(max(2, count)))
    let (first, last) = (
      (Self.multiples(range.low, unit, exponent) - Self.hair).rounded(.up),
      (Self.multiples(range.high, unit, exponent) + Self.hair).rounded(.down)
    )
    // `AxisRange` is wide enough for that; what is not gets no marks.
    guard first <= last, last - first <= 100, first.magnitude < 1e12, last.magnitude < 1e12 else {
      ticks = []
      return
    }
    ticks = (Int64(first)...Int64(last)).map { index in
      Tick(
        value: Self.value(index * unit, exponent), label: Self.label(index * unit, exponent: exponent))
    }
  }

  /// The smallest 1, 2 or 5 times a power of ten that is not below `least` (above 0).
  static func step(_ least: Double) -> (unit: Int64, exponent: Int) {
    var exponent = Int(log10(least).rounded(.down))
    // log10 may be off by a hair at powers of ten.
    while value(1, exponent) > least { exponent -= 1 }
    while value(10, exponent) <= least { exponent += 1 }
    for unit: Int64 in [1, 2, 5] where value(unit, exponent) >= least * (1 - hair) { return (unit, exponent) }
    return (1, exponent + 1)
  }

  private static func multiples(_ value: Double, _ unit: Int64, _ exponent: Int) -> Double {
    value / self.value(unit, exponent)
  }

  /// number · 10^exponent, rounded once where 10^|exponent| is exact.
  private static func value(_ number: Int64, _ exponent: Int) -> Double {
    exponent < 0 ? Double(number) / pow(10, Double(-exponent)) : Double(number) * pow(10, Double(exponent))
  }

  /// number · 10^exponent in digits: `−0.05`, `1500`; far from 1 as `1.5e9`.
  static func label(_ number: Int64, exponent: Int) -> String {
    guard number != 0 else { return "0" }
    let sign = number < 0 ? "−" : ""
    var digits = String(number.magnitude)
    var exponent = exponent
    while exponent < 0, digits.count > 1, digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    let power = digits.count - 1 + exponent
    if power < -4 || power > 6 {
      while digits.count > 1, digits.last == "0" { digits.removeLast() }
      let rest = digits.dropFirst()
      return "\(sign)\(digits.prefix(1))\(rest.isEmpty ? "" : ".\(rest)")e\(power)"
    }
    if exponent >= 0 { return sign + digits + String(repeating: "0", count: exponent) }
    let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
    return "\(sign)\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
  }
}
