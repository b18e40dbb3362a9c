import Motion
import TestSupport
import Testing

@testable import Sensors

@Suite struct AttributeTextTests {
  @Test(arguments: [
    ("0.001064724", 0.001064724), ("-12", -12), (" 1 \n", 1), ("0.000000174", 1.74e-7), ("1e-3", 0.001),
    ("+5", 5), ("0", 0), ("32768", 32768),
  ])
  func numbers(text: String, number: Double) {
    #expect(AttributeText.number(text) == number)
  }

  /// A decimal comma, other notations, and what is no number at all.
  @Test(arguments: [
    "", " ", "0,5", "0x10", "inf", "nan", "-inf", "1e999", "1 2", "12 Hz", "--1", "1_000", "٣",
    String(repeating: "1", count: 65), "1\u{0}",
  ])
  func noNumbers(text: String) {
    #expect(AttributeText.number(text) == nil)
  }

  @Test(arguments: [
    ("0.000000174", 0.6), ("-0.000000001", 100), ("0.000000999", 0.2), (" 0.000000174\n", 0.6),
    ("0.000001745", nil), ("0.000000000", nil), ("0.00000017", nil), ("0.0000001745", nil),
    ("1.000000174", nil),
    ("0.+00000174", nil), ("", nil), ("0.", nil), ("1e-9", nil),
  ])
  func whatNineDecimalsLose(text: String, percent: Double?) {
    #expect(AttributeText.percentLost(of: text) == percent)
  }

  @Test func mountMatrices() {
    #expect(AttributeText.mountMatrix("1, 0, 0; 0, 1, 0; 0, 0, 1\n") == .identity)
    #expect(
      AttributeText.mountMatrix("0,1,0;-1,0,0;0,0,-1")
        == Matrix3(rows: Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, -1)))
    #expect(
      AttributeText.mountMatrix("0.5, 0, 0; 0, 0.5, 0; 0, 0, 0.5")?.x == Vector3(0.5, 0, 0))
  }

  @Test(arguments: [
    "", "(null)", "1, 0, 0; 0, 1, 0", "1, 0, 0; 0, 1, 0; 0, 0, 1; 0, 0, 0", "1, 0; 0, 1, 0; 0, 0, 1",
    "1, 0, 0, 0; 0, 1, 0; 0, 0, 1", "0, 0, 0; 0, 0, 0; 0, 0, 0", "1, 0, 0; 1, 0, 0; 0, 0, 1",
    "1 0 0 0 1 0 0 0 1", "x, 0, 0; 0, 1, 0; 0, 0, 1", "nan, 0, 0; 0, 1, 0; 0, 0, 1",
    "1e300, 0, 0; 0, 1e300, 0; 0, 0, 1", ";;", ",,;,,;,,",
  ])
  func noMountMatrices(text: String) {
    #expect(AttributeText.mountMatrix(text) == nil)
  }

  @Test(arguments: [
    (100, "100"), (2 / 0.03, "66.666667"), (12.5, "12.5"), (0.000001, "0.000001"), (1e9, "1000000000"),
  ])
  func frequencyTexts(hertz: Double, text: String) throws {
    #expect(AttributeText.frequency(hertz) == (text == "12.5" ? "12.500000" : text))
    #expect(try #require(AttributeText.number(AttributeText.frequency(hertz))) >= hertz)
  }

  /// Whatever stands in an attribute: an answer, never a trap, and nothing that is not finite.
  @Test func anyText() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix64(seed: seed)
    let alphabet = Array("0123456789+-.,;eE []\n\u{0}xnaif")
    for _ in 0..<5000 {
      let length = Int.random(in: 0...60, using: &generator)
      let text = String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
      if let number = AttributeText.number(text) { #expect(number.isFinite, "seed \(seed)") }
      if let matrix = AttributeText.mountMatrix(text) { #expect(matrix.determinant != 0, "seed \(seed)") }
      if let offered = AvailableFrequencies(text) {
        let chosen = offered.nearest(notBelow: 66)
        #expect(chosen.hertz > 0 && chosen.hertz.isFinite, "\(text), seed \(seed)")
      }
    }
  }
}
