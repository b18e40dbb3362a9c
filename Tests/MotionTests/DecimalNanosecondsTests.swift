import TestSupport
import Testing

@testable import Motion

@Suite struct DecimalNanosecondsTests {
  /// Text, power of the unit, nanoseconds (nil: refused).
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var power: Int
    var expected: Int64?
    init(_ text: String, _ power: Int, _ expected: Int64?) {
      self.text = text
      self.power = power
      self.expected = expected
    }
    var testDescription: String { "'\(text.prefix(40))' at 10^\(power)" }
  }

  static func parse(_ text: String, power: Int, separator: UInt8 = UInt8(ascii: ".")) -> Int64? {
    var text = text
    return text.withUTF8 {
      DecimalNanoseconds.parse(UnsafeRawBufferPointer($0), power: power, separator: separator)
    }
  }

  static let values: [Case] = [
    Case("0", 9, 0), Case("-0", 9, 0), Case("+1", 9, 1_000_000_000), Case("0.03", 9, 30_000_000),
    Case("1.", 9, 1_000_000_000), Case(".5", 9, 500_000_000), Case("-0.000000001", 9, -1),
    Case("12.5", 6, 12_500_000), Case("12.5", 3, 12_500), Case("007", 0, 7),
    // 19 digits stay exact, where a Double has 53 bits.
    Case("1403636579758555392", 0, 1_403_636_579_758_555_392),
    Case("1403636579758555393", 0, 1_403_636_579_758_555_393),
    Case("1403636579.758555393", 9, 1_403_636_579_758_555_393),
    Case("4611686018427387904", 0, 1 << 62), Case("-4611686018427387904", 0, -(1 << 62)),
    // Half to even.
    Case("0.5", 0, 0), Case("1.5", 0, 2), Case("2.5", 0, 2), Case("-1.5", 0, -2), Case("-2.5", 0, -2),
    Case("0.0000000005", 9, 0), Case("0.0000000015", 9, 2), Case("0.00000000050000000000000000001", 9, 1),
    Case("0.00000000149999999999999999999", 9, 1), Case("0.00000000250000000000000000000", 9, 2),
    Case("0.049", 0, 0), Case("0.96", 0, 1),
    // More digits than one integer holds.
    Case("1.00000000000000000000000000", 9, 1_000_000_000),
    Case("000000000000000000000000000012", 0, 12),
    Case("1234567890123456789.49999999999999999", 0, 1_234_567_890_123_456_789),
    Case("1234567890123456789.50000000000000000", 0, 1_234_567_890_123_456_790),
    Case("123456789012345678950000000000000000e-17", 0, 1_234_567_890_123_456_790),
    // E-notation.
    Case("3e-2", 9, 30_000_000), Case("3E+1", 6, 30_000_000),
    Case("1.403636579758555393E18", 0, 1_403_636_579_758_555_393),
    Case("15e-1", 0, 2), Case("1e-999999999999999999999999", 9, 0), Case("0e999999999999999999999999", 9, 0),
    Case("1e09", 0, 1_000_000_000), Case("5e-10", 9, 0), Case("5.1e-10", 9, 1),
    Case("1" + String(repeating: "0", count: 300) + "e-300", 9, 1_000_000_000),
    Case("0." + String(repeating: "0", count: 300) + "1e301", 9, 1_000_000_000),
  ]

  @Test(arguments: values)
  func value(_ row: Case) {
    #expect(Self.parse(row.text, power: row.power) == row.expected)
  }

  static let refused: [Case] =
    [
      "", "-", "+", ".", "-.", "e5", ".e5", "1e", "1e+", "1e5.0", "1.2.3", "1,5", " 1", "1 ", "1x", "0x10",
      "--1", "+-1", "inf", "nan", "1e5 ", "1_000",
    ].map { Case($0, 9, nil) } + [
      Case("4611686018427387905", 0, nil), Case("-4611686018427387905", 0, nil),
      Case("4611686018427387904.6", 0, nil), Case("9999999999999999999", 0, nil),
      Case("99999999999999999999", 0, nil), Case("5000000000", 9, nil),
      Case("1e999999999999999999999999", 9, nil), Case("1e19", 0, nil), Case("1e10", 9, nil),
      Case("0.1e20", 9, nil),
    ]

  @Test(arguments: refused)
  func refuses(_ row: Case) {
    #expect(Self.parse(row.text, power: row.power) == nil)
  }

  @Test func aDecimalCommaIsTakenWhereItIsAskedFor() {
    let comma = UInt8(ascii: ",")
    #expect(Self.parse("1,5", power: 0, separator: comma) == 2)
    #expect(Self.parse("1,25E1", power: 9, separator: comma) == 12_500_000_000)
    #expect(Self.parse("1.5", power: 0, separator: comma) == nil)
  }

  static let seconds: [(Double, Int64)] = [
    (0.03, 30_000_000), (0.1, 100_000_000), (1e-9, 1), (10, 10_000_000_000), (0.001, 1_000_000),
    (0.0333333333333, 33_333_333), (1.0 / 3, 333_333_333), (-0.25, -250_000_000), (.leastNonzeroMagnitude, 0),
    (0, 0),
  ]

  @Test(arguments: seconds)
  func ofADouble(_ seconds: Double, _ expected: Int64) {
    #expect(DecimalNanoseconds.nanoseconds(fromSeconds: seconds) == expected)
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e10, .greatestFiniteMagnitude])
  func ofADoubleThatIsNoTime(_ seconds: Double) {
    #expect(DecimalNanoseconds.nanoseconds(fromSeconds: seconds) == nil)
  }

  /// The short way and the long way agree: the same number with zeros that change nothing.
  @Test func zerosThatChangeNothingChangeNothing() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<5000 {
      let digits = String(UInt64.random(in: 0..<1_000_000_000_000, using: &random))
      let whole = String(UInt64.random(in: 0..<1_000_000, using: &random))
      let exponent = Int.random(in: -12...3, using: &random)
      let zeros = String(repeating: "0", count: 30)
      let short = Self.parse("\(whole).\(digits)e\(exponent)", power: 9)
      let long = Self.parse("\(zeros)\(whole).\(digits)\(zeros)e\(exponent)", power: 9)
      #expect(short == long, "seed \(seed): \(whole).\(digits)e\(exponent)")
    }
  }
}
