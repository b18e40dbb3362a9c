import Motion

/// How a column of times becomes nanoseconds: exactly, or rounded once, half to even.
///
/// One unit of the column is `mantissa · 10^power` ns.
package struct TimeScale: Equatable, Sendable {
  /// Above 0, without trailing zeros.
  private let mantissa: Int64
  private let power: Int
  /// Nanoseconds per unit where that is whole and fits; else 0.
  let wholeNanoseconds: Int64

  /// Fraction digits of a field that count where the mantissa is not 1.
  private static let fractionDigits = 6

  /// One unit is `10^power` ns: seconds 9, milliseconds 6, microseconds 3, nanoseconds 0.
  package init(power: Int) { self.init(mantissa: 1, power: power) }

  /// One unit is `text` units of `10^power` ns; `text` is a decimal number above 0, of at most 18 digits.
  package init?(_ text: String, power: Int) {
    var digits: Int64 = 0
    var count = 0
    var fraction = 0
    var exponent = 0
    var isFraction = false
    var rest = text.utf8[...]
    while let byte = rest.first, byte | 0x20 != UInt8(ascii: "e") {
      rest.removeFirst()
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
        continue
      }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      if count > 0 || byte != UInt8(ascii: "0") { count += 1 }
      guard count <= 18 else { return nil }
      digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
      fraction += isFraction ? 1 : 0
    }
    if !rest.isEmpty {
      guard let value = Int(Substring(rest.dropFirst())), (-30...30).contains(value) else { return nil }
      exponent = value
    }
    guard digits > 0, fraction <= 30 else { return nil }
    self.init(mantissa: digits, power: power + exponent - fraction)
  }

  private init(mantissa: Int64, power: Int) {
    var mantissa = mantissa
    var power = power
    while mantissa % 10 == 0 {
      mantissa /= 10
      power += 1
    }
    self.mantissa = mantissa
    self.power = power
    let whole = power >= 0 ? Self.powerOfTen(power).map { Int128(mantissa) * $0 } : nil
    wholeNanoseconds = whole.flatMap { Int64(exactly: $0) } ?? 0
  }

  /// The time that a field says, in nanoseconds; nil where it is no decimal number, or beyond ±2^62.
  ///
  /// Where a unit is a power of ten of nanoseconds the result is the exact value, rounded half to even. In
  /// other units the field is first taken to a millionth of the unit, which holds every counter exactly.
  func nanoseconds(_ field: UnsafeRawBufferPointer, separator: UInt8) -> Int64? {
    if mantissa == 1 { return DecimalNanoseconds.parse(field, power: power, separator: separator) }
    var digits = Self.fractionDigits
    var parsed = DecimalNanoseconds.parse(field, power: digits, separator: separator)
    if parsed == nil {
      // A count that is too large for millionths still is a count.
      digits = 0
      parsed = DecimalNanoseconds.parse(field, power: digits, separator: separator)
    }
    guard let units = parsed else { return nil }
    // |units| ≤ 2^62 and mantissa < 10^18 < 2^60: the product has at most 122 bits.
    let product = Int128(units) * Int128(mantissa)
    let shift = power - digits
    if shift >= 0 {
      guard let factor = Self.powerOfTen(shift) else { return units == 0 ? 0 : nil }
      let (scaled, overflow) = product.multipliedReportingOverflow(by: factor)
      return overflow ? nil : Self.bounded(scaled)
    }
    guard let divisor = Self.powerOfTen(-shift) else { return 0 }
    let (quotient, remainder) = product.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
    let twice = remainder * 2  // below 2 · 10^37 < 2^128
    let isUp = twice > divisor.magnitude || (twice == divisor.magnitude && quotient & 1 == 1)
    let rounded = Int128(quotient) + (isUp ? 1 : 0)
    return Self.bounded(units < 0 ? -rounded : rounded)
  }

  private static func bounded(_ value: Int128) -> Int64? {
    value.magnitude <= UInt128(DecimalNanoseconds.limit) ? Int64(value) : nil
  }

  /// 10^exponent for 0…37; nil beyond.
  private static func powerOfTen(_ exponent: Int) -> Int128? {
    guard exponent <= 37 else { return nil }
    var result: Int128 = 1
    for _ in 0..<exponent { result *= 10 }
    return result
  }
}
