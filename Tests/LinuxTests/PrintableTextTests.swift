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

  /// A line for people is to fit into what a pipe takes at once, also where all of it is escaped.
  @Test func escapesCountAsLongAsTheyAre() {
    let escape = "\\u{1b}"
    let text = String(repeating: "\u{1b}", count: 3)
    #expect(text.printable(limit: 3 * escape.count) == escape + escape + escape)
    #expect(text.printable(limit: 3 * escape.count - 1) == escape + escape + "…")
    #expect("\t\t".printable(limit: 3) == "\\t…")
    let cut = text.printable(limit: 13)
    #expect(cut.printable(limit: 13) == cut)
  }
}
