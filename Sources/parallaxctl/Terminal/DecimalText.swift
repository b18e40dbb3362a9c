/// Numbers for people.
enum DecimalText {
  /// `value` with `digits` decimals (0–9), rounded to nearest; `-0.0` has no sign. Numbers of 10⁹ and more
  /// are written as Swift does, so that a hostile one cannot fill the screen.
  static func fixed(_ value: Double, digits: Int) -> String {
    guard value.isFinite, value.magnitude < 1e9 else { return "\(value)" }
    var unit = 1.0
    for _ in 0..<digits { unit *= 10 }
    let scaled = Int64((value.magnitude * unit).rounded())
    let whole = scaled / Int64(unit)
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let decimals = String(scaled % Int64(unit))
    return "\(sign)\(whole).\(String(repeating: "0", count: digits - decimals.count))\(decimals)"
  }

  /// Which update a number is; -1 is what the protocol has before the first.
  static func update(_ sequence: some BinaryInteger) -> String {
    sequence < 0 ? "no update yet" : "update \(sequence)"
  }

  /// As `fixed`, with `+` before what is not negative and padded on the left to `width`.
  static func signed(_ value: Double, digits: Int, width: Int = 0) -> String {
    let text = fixed(value, digits: digits)
    return padded(text.first == "-" ? text : "+\(text)", width)
  }

  /// As `fixed`, without zeros at the end of the decimals: for scales.
  static func brief(_ value: Double, digits: Int) -> String {
    let text = fixed(value, digits: digits)
    // Of a number that is written with an exponent the zeros at the end count.
    guard let point = text.firstIndex(of: "."), !text.contains("e") else { return text }
    var end = text.endIndex
    while end > point, text[text.index(before: end)] == "0" || text.index(before: end) == point {
      end = text.index(before: end)
    }
    return String(text[..<end])
  }

  /// As a person writes a number, all of its digits: `0.000000001`, `1000000000`, never `1e-09` or `1.0`.
  static func plain(_ value: Double) -> String {
    for digits in 0...9 {
      let text = brief(value, digits: digits)
      if Double(text) == value, !text.contains("e") { return text }
    }
    return "\(value)"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
