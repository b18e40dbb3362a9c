/// Values as they would stand in a configuration file.
enum TOMLText {
  /// A number that reads back to the same Double, with a point where it would be taken for an integer.
  static func of(_ number: Double) -> String { number.description }

  /// Numbers in brackets.
  static func of(_ numbers: [Double]) -> String { "[\(numbers.map { of($0) }.joined(separator: ", "))]" }

  /// A basic string: quotes, backslashes and what a terminal would act on are escaped.
  static func of(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        let hex = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Nanoseconds as seconds, exactly.
  static func seconds(_ nanoseconds: Int64) -> String {
    let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    var digits = String(rest)
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
    return "\(nanoseconds < 0 ? "-" : "")\(whole).\(digits)"
  }
}
