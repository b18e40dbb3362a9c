import Linux
import Testing

@Suite struct BlanksTests {
  @Test(arguments: [
    ("", ""), (" \t\r\n", ""), ("a", "a"), ("a\n", "a"), ("\r\n a b \t\r\n", "a b"), ("\u{2003}a", "a"),
    ("\u{0}a ", "\u{0}a"),
  ])
  func areTakenFromBothEnds(text: String, rest: String) {
    #expect(text.withoutSurroundingBlanks == rest)
    #expect(text[...].withoutSurroundingBlanks == rest)
  }
}
