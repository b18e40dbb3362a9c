import Linux
import Testing

@testable import parallaxctl

/// What is no name of a file is refused by every command that writes one.
struct OutputNameTests {
  private static func complaint(_ body: () throws(UsageError) -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: ["", "-"])
  func isDemandedEverywhere(_ name: String) throws {
    let complaints = [
      Self.complaint { () throws(UsageError) in _ = try Arguments(["process", "a", "--estimates", name]) },
      Self.complaint { () throws(UsageError) in _ = try Arguments(["plot", "a", "-o", name]) },
      Self.complaint { () throws(UsageError) in _ = try Arguments(["record", name]) },
      Self.complaint { () throws(UsageError) in _ = try Arguments(["doctor", "--report", name]) },
    ]
    for complaint in complaints {
      let text = try #require(complaint)
      #expect(text.contains("a file") || text.contains("needs a value"), "\(text)")
      #expect(text.contains("not standard output") == (name == "-"), "\(text)")
    }
  }

  @Test func aHyphenIsStandardOutputForRows() throws {
    var options = ProcessOptions()
    options.trace.trace = "a"
    #expect(try Arguments(["process", "a", "-o", "-"]).command == .process(options))
    (options.output, options.estimates) = ("./-", "-e")
    #expect(
      try Arguments(["process", "a", "-o", "./-", "--estimates", "-e"]).command == .process(options))
    #expect(Self.complaint { () throws(UsageError) in _ = try Arguments(["process", "a", "-o", ""]) } != nil)
  }
}
