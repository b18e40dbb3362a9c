import Testing

@testable import Traces

struct TimeScaleTests {
  private func nanoseconds(_ field: String, _ multiple: String, _ power: Int, separator: UInt8 = 0x2e)
    -> Int64?
  {
    guard let scale = TimeScale(multiple, power: power) else { return nil }
    return Array(field.utf8).withUnsafeBytes { scale.nanoseconds($0, separator: separator) }
  }

  @Test(arguments: [
    // Exact, where a Double is not.
    ("1403715273.262142976", "1", 9, 1_403_715_273_262_142_976),
    ("1403715273262142977", "1", 0, 1_403_715_273_262_142_977),
    // Half to even, once.
    ("0.0000000005", "1", 9, 0), ("0.0000000015", "1", 9, 2), ("-0.0000000015", "1", 9, -2),
    // Counts too large for millionths of them.
    ("5000000000000", "2", 0, 10_000_000_000_000), ("-5000000000000", "1.5", 0, -7_500_000_000_000),
    ("3", "20", 6, 60_000_000), ("-3", "0.02", 9, -60_000_000), ("3", "30517.5", 0, 91_552),
    ("1", "30517.5", 0, 30_518), ("-1", "30517.5", 0, -30_518), ("5", "0.3", 0, 2),
    ("2.5", "30517.5", 0, 76_294),
    ("4611686018427387904", "1", 0, 1 << 62),
    // As many digits as a Double has, and the largest of both.
    ("3", "0.00033333333333333335", 9, 1_000_000),
    ("4611686018427387904", "0.999999999999999999", 0, 4_611_686_018_427_387_899),
    ("1", "1e-30", 0, 0), ("0", "7e30", 9, 0),
  ])
  func isExact(_ field: String, _ multiple: String, _ power: Int, _ expected: Int64) {
    #expect(nanoseconds(field, multiple, power) == expected)
  }

  @Test(arguments: [
    ("4611686018427387905", "1", 0), ("4611686019", "1", 9), ("1", "7e30", 9), ("4611686018427", "7", 6),
    ("", "1", 9), ("x", "3", 9),
  ])
  func whatDoesNotFitIsNone(_ field: String, _ multiple: String, _ power: Int) {
    #expect(nanoseconds(field, multiple, power) == nil)
  }

  @Test(arguments: [
    "", "0", "0.0", "-1", "1e", "1e99", "1.2.3", "1234567890123456789", "x", "1x", "nan",
    "1e-9223372036854775808", "1e9223372036854775807",
  ])
  func whatIsNoMultipleIsNone(_ text: String) { #expect(TimeScale(text, power: 9) == nil) }

  @Test func commas() { #expect(nanoseconds("1,5", "1", 9, separator: 0x2c) == 1_500_000_000) }
}
