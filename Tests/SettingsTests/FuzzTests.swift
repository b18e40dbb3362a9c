import TestSupport
import Testing

@testable import Settings

/// Hostile bytes: whatever comes in, the answer is settings that list and read back, or one line.
@Suite struct FuzzTests {
  private static let pieces = [
    "[motion]", "\n", "threshold", "=", "0.1", "\"", "'", "\"\"\"", "[", "]", "{", "}", ".", ",", "#", "inf",
    "\\u0000", "1e308", "9223372036854775808", "true", "2026-01-01T00:00:00Z", "[[sensor]]", "é", "\u{FEFF}",
    "a.b.c.d", "0x", "+-", "_", " ",
  ].map { Array($0.utf8) }

  /// Changes, drops, doubles or inserts a few bytes of a document.
  private func mutated(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let at = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, at + Int.random(in: 0...20, using: &random))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.replaceSubrange(at..<end, with: [])
      case 1: bytes.insert(contentsOf: bytes[at..<end], at: at)
      case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
      default: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: at)
      }
    }
    return bytes
  }

  @Test func `mutated documents are read or refused in one line`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("FuzzTests seed \(seed)")
    var random = SplitMix64(seed: seed)
    let template = try projectText("config/parallaxd.toml").replacing("# ", with: "")
    let lines = try projectText("config/parallaxd.toml").split(separator: "\n").map(String.init)
    for round in 0..<500 {
      // The whole file is mostly broken at once; a few of its lines reach further.
      let start = (0..<8).compactMap { _ in lines.randomElement(using: &random)?.replacing("# ", with: "") }
      let text = round % 10 == 0 ? template : start.joined(separator: "\n")
      let bytes = mutated(Array(text.utf8), &random)
      var draft = SettingsDraft()
      do throws(SettingsError) {
        try bytes.withUnsafeBufferPointer { (bytes: UnsafeBufferPointer<UInt8>) throws(SettingsError) in
          try Settings.parse(UnsafeRawBufferPointer(bytes), fileName: "f", into: &draft)
        }
        try expectReadsBack(draft.finished())
      } catch {
        #expect(!error.description.contains("\n"), "seed \(seed)")
        #expect(error.description.utf8.count < 600, "seed \(seed): \(error)")
      }
    }
  }

  /// Every value in force is one that a file may say, and means the same there.
  private func expectReadsBack(_ settings: Settings) throws(SettingsError) {
    let overrides = settings.inForce.map { "\($0.name)=\($0.value)" }
    let again = try Settings.load(source: .builtIn, overrides: overrides)
    #expect(again == settings)
  }

  @Test func `mutated overrides are read or refused in one line`() {
    let seed = UInt64.random(in: 0 ... .max)
    print("FuzzTests seed \(seed)")
    var random = SplitMix64(seed: seed)
    for _ in 0..<1000 {
      let key = SettingKey.all.randomElement(using: &random)
      let bytes = mutated(Array("\(key?.name ?? "")=\(key?.defaultText ?? "")".utf8), &random)
      do {
        _ = try Settings.load(source: .builtIn, overrides: [String(decoding: bytes, as: UTF8.self)])
      } catch {
        #expect(!error.description.contains("\n"), "seed \(seed): \(error)")
      }
    }
  }
}
