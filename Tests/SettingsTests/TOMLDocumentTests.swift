import Testing

@testable import Settings

@Suite struct TOMLDocumentTests {
  private func entries(_ text: String) throws(SettingsError) -> [TOMLEntry] {
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBufferPointer { (bytes: UnsafeBufferPointer<UInt8>) throws(SettingsError) in
      try TOMLDocument.parse(UnsafeRawBufferPointer(bytes), fileName: "f")
    }
  }

  @Test(arguments: [
    ("a = \"x\\u00e9\"", TOMLValue.text("xé")), ("a = 'C:\\n'", .text("C:\\n")), ("a = 0x10", .integer(16)),
    ("a = -9223372036854775808", .integer(.min)), ("a = 1e3", .number(1000)), ("a = inf", .number(.infinity)),
    ("a = 0.1", .number(0.1)), ("a = true", .boolean(true)), ("a = [1, 2.5]", .numbers([1, 2.5])),
    ("a = []", .numbers([])), ("a = [1, \"x\"]", .other), ("a = [[1]]", .other), ("a = 2026-01-01", .other),
    ("[a]", .table), ("a = {}", .table), ("[[a]]", .other),
  ])
  func `values have their types`(text: String, expected: TOMLValue) throws {
    #expect(try entries(text).map(\.value) == [expected])
  }

  @Test func `places are those of the key's last part and of the value, in characters`() throws {
    let found = try entries("[ motion ]\n\n  threshold = 0.2 # é\ngain_x=1\n\"é\".tilt.range = 3\n")
    let places = found.map { "\($0.key) \($0.keyPlace.line):\($0.keyPlace.column) \($0.valuePlace.column)" }
    #expect(
      places == [
        "motion 1:3 1", "motion.threshold 3:3 15", "motion.gain_x 4:1 8", "motion.\"é\" 5:1 1",
        "motion.\"é\".tilt 5:5 5", "motion.\"é\".tilt.range 5:10 18",
      ])
  }

  @Test func `a key with a point in quotes is not two parts`() throws {
    #expect(try entries("\"motion.threshold\" = 1").map(\.key) == ["\"motion.threshold\""])
  }

  @Test(arguments: [
    ("a = \n", 1, "not TOML: "), ("a = 1\na = 2\n", 2, "not TOML: "), ("\n\n[a\n", 3, "not TOML: "),
    ("a = \"\u{1}\"", 1, "not TOML: "), ("a = 1e999999", 1, "not TOML: "),
    ("a = 99999999999999999999", 1, "not TOML: "), ("a = [[[[[[[[1]]]]]]]]", 1, "not TOML: "),
    (String(repeating: "#\n", count: 32768) + "#", 0, "not TOML: longer than 65536 bytes"),
    ("#\n" + String(repeating: "a.", count: 512) + "a = 1", 2, "not TOML: a line longer than 1024 bytes"),
  ])
  func `what is no TOML, or beyond the bounds, is refused with its line`(
    text: String, line: Int, beginning: String
  ) {
    do {
      let found = try entries(text)
      Issue.record("read as \(found)")
    } catch {
      #expect(error.line == line)
      #expect(error.message.hasPrefix(beginning), "\(error)")
    }
  }

  @Test func `the deepest document within the bounds is read and freed`() throws {
    // A dotted key as deep as a line is long, in inline tables as deep as they may be nested.
    let dots = String(repeating: "a.", count: 500) + "a"
    let text = "\(dots) = [\n{\(dots) = [\n1\n]}]"
    #expect(try entries(text).count == 501)
    #expect(try entries("\(dots) = {b = \"\"\"\n\"\"\", \(dots) = 1}").count == 1003)
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    let bytes: [UInt8] = Array("a = \"".utf8) + [0xFF, 0xFE] + Array("\"".utf8)
    #expect(throws: SettingsError.self) {
      try bytes.withUnsafeBytes { try TOMLDocument.parse($0, fileName: "f") }
    }
  }
}
