import CNumbers
import TestSupport
import Testing

@testable import Traces

struct NumberTests {
  /// The value and how many bytes it took; the text is all the memory there is.
  private func parse(_ text: String) -> (read: Int, value: Double) {
    var value = 0.0
    let bytes = Array(text.utf8).map { CChar(bitPattern: $0) }
    let read = bytes.withUnsafeBufferPointer { text in
      text.baseAddress.map { cnumbers_parse_double($0, $0 + text.count, &value) } ?? 0
    }
    return (read, value)
  }

  @Test(arguments: [
    ("0", 1, 0), ("-0", 2, -0.0), ("1.5,2", 3, 1.5), ("-12.25e-1;", 9, -1.225), ("1.", 2, 1), (".5", 2, 0.5),
    ("1e5x", 3, 1e5), ("1e", 1, 1), ("1e+", 1, 1), ("9007199254740993", 16, 9_007_199_254_740_992),
    ("0.1234567890123456789", 21, 0.1234567890123456789),
    ("123456789012345678901234567890", 30, 1.2345678901234568e29),
    ("1e22", 4, 1e22), ("1e23", 4, 1e23), ("5e-324", 6, Double.leastNonzeroMagnitude), ("0x10", 1, 0),
    ("00012345678901", 14, 12_345_678_901),
    ("1,234", 1, 1), ("12345678.12345678", 17, 12_345_678.12345678),
  ])
  func numbersAreRead(_ text: String, _ read: Int, _ value: Double) {
    let result = parse(text)
    #expect(result.read == read)
    #expect(result.value.bitPattern == value.bitPattern)
  }

  @Test(arguments: ["", "-", "+1", " 1", ".", "e5", "x", "1e999", "-1e999"])
  func whatIsNoneIsNotRead(_ text: String) { #expect(parse(text).read == 0) }

  /// The shortest text reads back to the same bits, and so does every other way to write the value.
  @Test func roundTrip() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var generator = SplitMix64(seed: seed)
    var out = [CChar](repeating: 0, count: Int(CNUMBERS_CAPACITY))
    for _ in 0..<20_000 {
      var value = Double(bitPattern: generator.next())
      if Bool.random(using: &generator) {
        // Such as sensors write: few digits.
        value = Double(Int64.random(in: -1_000_000_000...1_000_000_000, using: &generator)) / 1e7
      }
      guard value.isFinite else { continue }
      let count = cnumbers_format_double(value, &out, out.count)
      #expect(count > 0)
      let text = String(decoding: out.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      #expect(parse(text).read == count)
      #expect(parse(text).value.bitPattern == value.bitPattern, "\(text)")
      #expect(Double(text)?.bitPattern == value.bitPattern, "\(text)")
    }
  }

  @Test func digits() {
    func read(_ text: String) -> (Int, UInt64) {
      var value: UInt64 = 0
      let bytes = Array(text.utf8).map { CChar(bitPattern: $0) }
      let count = bytes.withUnsafeBufferPointer { text in
        text.baseAddress.map { cnumbers_parse_digits($0, $0 + text.count, &value) } ?? 0
      }
      return (count, value)
    }
    #expect(read("") == (0, 0))
    #expect(read("x1") == (0, 0))
    #expect(read("7") == (1, 7))
    #expect(read("12345678") == (8, 12_345_678))
    #expect(read("1403715273262142976,") == (19, 1_403_715_273_262_142_976))
    #expect(read("9999999999999999999") == (19, 9_999_999_999_999_999_999))
    #expect(read("10000000000000000000") == (0, 0))
    // Whatever follows a digit, it ends there.
    for byte in UInt8.min...UInt8.max where byte < 0x30 || byte > 0x39 {
      for before in 1...9 {
        var value: UInt64 = 0
        let bytes = (Array(repeating: UInt8(ascii: "9"), count: before) + [byte] + Array("12345678".utf8))
          .map { CChar(bitPattern: $0) }
        let count = bytes.withUnsafeBufferPointer { text in
          text.baseAddress.map { cnumbers_parse_digits($0, $0 + text.count, &value) } ?? 0
        }
        #expect(count == before)
        #expect(value == UInt64(String(repeating: "9", count: before)))
      }
    }
  }

  @Test func integersAreWritten() {
    var out = [CChar](repeating: 0, count: Int(CNUMBERS_CAPACITY))
    #expect(cnumbers_format_int64(.min, &out, out.count) == 20)
    #expect(cnumbers_format_int64(-17, &out, 2) == 0)
    #expect(cnumbers_format_double(.infinity, &out, out.count) == 0)
    #expect(cnumbers_format_double(-1.7976931348623157e308, &out, out.count) == 24)
  }
}
