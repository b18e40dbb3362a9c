/// Where a text, such as a file that somebody wrote, is no JSON.
package struct JSONFault: Equatable, Sendable, CustomStringConvertible {
  /// From 1.
  package let line: Int
  /// In characters, from 1.
  package let column: Int
  /// What is wrong there.
  package let reason: String

  /// nil where it is JSON, at most `maxNesting` deep.
  package init?(in text: UnsafeRawBufferPointer, maxNesting: Int = WireLimits().maxNesting) {
    guard let position = JSONGrammar.fault(in: text, maxNesting: maxNesting) else { return nil }
    let before = text[..<position]
    line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Bytes that go on with a character of UTF-8 do not count.
    column = 1 + text[lineStart..<position].count { $0 & 0xc0 != 0x80 }
    reason = Self.reason(position < text.count ? text[position] : nil, maxNesting)
  }

  private static func reason(_ byte: UInt8?, _ maxNesting: Int) -> String {
    switch byte {
    case nil: "it ends too early"
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      "a bracket that does not belong here, or is deeper than \(maxNesting)"
    case let byte? where (0x21..<0x7f).contains(byte):
      "\(Unicode.Scalar(byte)) does not belong here"
    case let byte?: "the byte \(byte) does not belong here"
    }
  }

  package var description: String { "\(line):\(column): not JSON: \(reason)" }
}
