import Testing

@testable import Wire

/// Where a text is no JSON.
@Suite struct JSONFaultTests {
  @Test(arguments: [
    (#"{"layers":[{},{}"#, "1:17: not JSON: it ends too early"),
    ("", "1:1: not JSON: it ends too early"),
    ("{\n  \"a\": 1,\n}", "3:1: not JSON: } does not belong here"),
    ("{\"ä\": tru}", "1:7: not JSON: t does not belong here"),
    ("[1 2]", "1:4: not JSON: 2 does not belong here"),
    ("{} x", "1:4: not JSON: x does not belong here"),
    ("[\"a\nb\"]", "1:4: not JSON: the byte 10 does not belong here"),
    (#"["\q"]"#, "1:4: not JSON: q does not belong here"),
    (#"["\u00"#, "1:7: not JSON: it ends too early"),
    ("[[[[1]]]]", "1:4: not JSON: a bracket that does not belong here, or is deeper than 3"),
  ])
  func isSaidWithItsPlace(_ text: String, _ told: String) {
    let fault = Array(text.utf8).withUnsafeBytes { JSONFault(in: $0, maxNesting: 3) }
    #expect(fault?.description == told)
  }

  @Test(arguments: ["{}", " [1, 2.5e3, -0, \"\\u00e4\", true, null]\n", "3", "[[[1]]]"])
  func isNoneInJSON(_ text: String) {
    #expect(Array(text.utf8).withUnsafeBytes { JSONFault(in: $0, maxNesting: 3) } == nil)
  }
}
