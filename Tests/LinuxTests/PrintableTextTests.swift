import Linux
import Testing

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("bmi160", "bmi160"), ("Lenkung größer", "Lenkung größer"), ("", ""),
    ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"), ("a\nb\r\tc", "a\\u{a}b\\u{d}\\tc"), ("\u{9b}31m", "\\u{9b}31m"),
    ("left\u{202e}right", "left\\u{202e}right"), ("\u{7f}", "\\u{7f}"), ("a\u{2028}b", "a\\u{2028}b"),
  ])
  func escapesWhatATerminalObeys(_ text: String, _ printable: String) {
    #expect(text.printable() == printable)
  }

  @Test func cutsWhatIsTooLong() {
    #expect(String(repeating: "a", count: 5).printable(limit: 5) == "aaaaa")
    #expect(String(repeating: "a", count: 6).printable(limit: 5) == "aaaaa…")
  }
}
