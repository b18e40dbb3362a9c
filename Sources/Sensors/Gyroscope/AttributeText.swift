import Linux
import Motion

/// Reads what drivers print into attributes. The text is hostile until it has passed here: bounded, and
/// nothing but plain decimal numbers, whatever the locale.
package enum AttributeText {
  /// Longer than any number that a driver prints.
  private static let longestNumber = 64

  /// A finite decimal number, blanks around it allowed: `0.001064724`, `-12`, `1e-3`.
  package static func number(_ text: some StringProtocol) -> Double? {
    let trimmed = text.withoutSurroundingBlanks
    guard !trimmed.isEmpty, trimmed.utf8.count <= longestNumber, trimmed.utf8.allSatisfy(isOfNumber),
      let number = Double(trimmed), number.isFinite
    else { return nil }
    return number
  }

  /// How much too small a number can be, in percent, that was cut to nine decimals, as the kernel prints
  /// nanos; nil where three digits and more are left. The scale of a HID sensor's axis of 32 bits is then
  /// `0.000000174`.
  package static func percentLost(of text: String) -> Double? {
    let digits = text.withoutSurroundingBlanks.drop { $0 == "-" }
    guard number(text) != nil, digits.hasPrefix("0."), digits.utf8.count == 11,
      let nanos = Int(digits.dropFirst(2)),
      (1..<1000).contains(nanos)
    else { return nil }
    return (1000 / Double(nanos)).rounded(.up) / 10
  }

  /// A mount matrix by rows: `1, 0, 0; 0, 1, 0; 0, 0, 1`. Nothing that cannot turn a frame into another: the
  /// zeros that some drivers print are refused.
  package static func mountMatrix(_ text: String) -> Matrix3? {
    guard text.utf8.count <= 9 * (longestNumber + 2) else { return nil }
    let rows = text.split(separator: ";", omittingEmptySubsequences: false)
    guard rows.count == 3 else { return nil }
    var vectors: [Vector3] = []
    for row in rows {
      let numbers = row.split(separator: ",", omittingEmptySubsequences: false).map { number($0) }
      guard numbers.count == 3, let x = numbers[0], let y = numbers[1], let z = numbers[2],
        [x, y, z].allSatisfy({ abs($0) <= SensorModel.largestMatrixEntry })
      else { return nil }
      vectors.append(Vector3(x, y, z))
    }
    let matrix = Matrix3(rows: vectors[0], vectors[1], vectors[2])
    return abs(matrix.determinant) > 1e-6 ? matrix : nil
  }

  /// What a driver takes for a frequency: digits, and decimals where there are any (six, rounded up, so that
  /// what is asked for is not below).
  package static func frequency(_ hertz: Double) -> String {
    let millionths = (hertz * 1_000_000).rounded(.up)
    guard millionths < 1e15 else { return "\(Int64(min(hertz.rounded(.up), 1e18)))" }
    let whole = Int64(millionths) / 1_000_000
    let part = Int64(millionths) % 1_000_000
    if part == 0 { return "\(whole)" }
    let digits = "\(part)"
    return "\(whole)." + String(repeating: "0", count: 6 - digits.count) + digits
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  }
}
