/// Decimal text of a time → whole nanoseconds, exactly: half to even, never through a Double, which cannot
/// hold the 19 digits of a clock's nanoseconds.
///
/// Grammar: `[+-] digits [separator digits] [(e|E) [+-] digits]`, at least one digit before the exponent,
/// nothing around it. Linear in the text's length whatever its exponent says; allocates nothing.
package enum DecimalNanoseconds {
  /// The largest magnitude that counts as a time, 2^62 ns (146 years): the sum or difference of two fits
  /// in 64 bits.
  package static let limit: Int64 = 1 << 62

  /// Reads the whole of `text` as a number of units of `10^power` ns (seconds 9, milliseconds 6,
  /// microseconds 3, nanoseconds 0).
  ///
  /// - Parameter separator: the byte before the fraction: a point, or a comma in some exports.
  /// - Returns: nil where the text is no number, or its value is outside ±`limit`.
  package static func parse(
    _ text: UnsafeRawBufferPointer, power: Int, separator: UInt8 = UInt8(ascii: ".")
  ) -> Int64? {
    guard let number = DecimalText(text, separator: separator) else { return nil }
    guard let magnitude = number.magnitude(power: power, of: text), magnitude <= UInt64(limit) else {
      return nil
    }
    return number.isNegative ? -Int64(magnitude) : Int64(magnitude)
  }

  /// A number of seconds that somebody else has parsed (a configuration's `0.03`): the decimal text meant
  /// is taken to be the shortest one that reads back to the same Double.
  ///
  /// - Returns: nil where it is not finite or outside ±`limit` ns. Allocates; not for samples.
  package static func nanoseconds(fromSeconds seconds: Double) -> Int64? {
    var text = seconds.description
    return text.withUTF8 { parse(UnsafeRawBufferPointer($0), power: 9) }
  }
}

/// Where the parts of one decimal number lie in its text.
private struct DecimalText {
  var isNegative = false
  /// The offset of the first digit or the separator.
  var first: Int
  /// The offset behind the last digit of the fraction.
  var end: Int
  /// Digits before the separator, and behind it.
  var wholeDigits: Int
  var fractionDigits = 0
  var exponent = 0
  /// All digits as one integer, right while there are at most 19 of them.
  var digits: UInt64 = 0

  /// More digits than any text in memory has: an exponent beyond it is kept there, so that adding to it
  /// cannot overflow and the value is still far outside, or zero.
  private static let exponentBound = 1 << 48

  init?(_ text: UnsafeRawBufferPointer, separator: UInt8) {
    let count = text.count
    var at = 0
    if at < count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") {
      isNegative = text[at] == UInt8(ascii: "-")
      at += 1
    }
    first = at
    while at < count, let digit = Self.digit(text[at]) {
      digits = digits &* 10 &+ digit
      at += 1
    }
    wholeDigits = at - first
    if at < count, text[at] == separator {
      at += 1
      let fraction = at
      while at < count, let digit = Self.digit(text[at]) {
        digits = digits &* 10 &+ digit
        at += 1
      }
      fractionDigits = at - fraction
    }
    end = at
    guard wholeDigits + fractionDigits > 0 else { return nil }
    guard at < count else { return }
    guard text[at] | 0x20 == UInt8(ascii: "e"), readExponent(text, from: at + 1) else { return nil }
  }

  /// Reads the exponent from `start` to the end of the text; false where it is none.
  private mutating func readExponent(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
    var at = start
    var isBelowZero = false
    if at < text.count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") {
      isBelowZero = text[at] == UInt8(ascii: "-")
      at += 1
    }
    guard at < text.count else { return false }
    while at < text.count {
      guard let digit = Self.digit(text[at]) else { return false }
      exponent = min(exponent * 10 + Int(digit), Self.exponentBound)
      at += 1
    }
    if isBelowZero { exponent = -exponent }
    return true
  }

  /// |value|·10^power, rounded half to even; nil where it does not fit.
  func magnitude(power: Int, of text: UnsafeRawBufferPointer) -> UInt64? {
    let shift = exponent + power - fractionDigits
    guard wholeDigits + fractionDigits <= 19, shift > -20, shift < 20 else {
      return longMagnitude(kept: wholeDigits + exponent + power, of: text)
    }
    if shift >= 0 {
      let (product, overflow) = digits.multipliedReportingOverflow(by: Self.powersOfTen[shift])
      return overflow ? nil : product
    }
    let divisor = Self.powersOfTen[-shift]
    let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: divisor)
    let half = divisor / 2
    let isUp = remainder > half || (remainder == half && quotient & 1 == 1)
    return quotient + (isUp ? 1 : 0)
  }

  /// The same digit by digit, for texts that one integer does not hold. The first `kept` digits are the
  /// integer (zeros follow where there are fewer), the rest decides the rounding.
  private func longMagnitude(kept: Int, of text: UnsafeRawBufferPointer) -> UInt64? {
    var value: UInt64 = 0
    var index = 0
    var firstDropped: UInt64 = 0
    var isRestZero = true
    for at in first..<end {
      guard let digit = Self.digit(text[at]) else { continue }
      if index < kept {
        guard let next = Self.appending(digit, to: value) else { return nil }
        value = next
      } else if index == kept {
        firstDropped = digit
      } else if digit != 0 {
        isRestZero = false
      }
      index += 1
    }
    // A value of zero stays zero; any other leaves 64 bits after at most 19 rounds.
    while index < kept, value != 0 {
      guard let next = Self.appending(0, to: value) else { return nil }
      value = next
      index += 1
    }
    let isUp = firstDropped > 5 || (firstDropped == 5 && (!isRestZero || value & 1 == 1))
    return value + (isUp ? 1 : 0)
  }

  /// value·10 + digit; nil beyond the limit of a time.
  private static func appending(_ digit: UInt64, to value: UInt64) -> UInt64? {
    guard value <= UInt64(DecimalNanoseconds.limit) / 10 else { return nil }
    return value * 10 + digit
  }

  /// The digit that a byte stands for.
  @inline(__always)
  private static func digit(_ byte: UInt8) -> UInt64? {
    let value = byte &- UInt8(ascii: "0")
    return value < 10 ? UInt64(value) : nil
  }

  /// 10^0 … 10^19: what 64 bits hold.
  private static let powersOfTen: InlineArray<20, UInt64> = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
    10_000_000_000_000_000_000,
  ]
}
