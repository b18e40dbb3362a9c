import Linux
import Testing

@Suite struct OptionsTests {
  private let known = [
    Option("config", letter: "c", takesValue: true), Option("demo", letter: "d"),
    Option("set", takesValue: true),
  ]

  @Test func optionsStandBeforeAndAfterOperands() throws {
    let parsed = try ParsedArguments(["a", "--set", "x=1", "-d", "b", "--set=y=2", "-cfile"], options: known)
    #expect(parsed.operands == ["a", "b"])
    #expect(parsed.options.map(\.name) == ["set", "demo", "set", "config"])
    #expect(parsed.value(of: "set") == "y=2")
    #expect(parsed.value(of: "config") == "file")
    #expect(parsed.has("demo"))
  }

  @Test func theFirstOperandMayEndThem() throws {
    let parsed = try ParsedArguments(["-d", "a", "--set", "x"], options: known, stopAtOperand: true)
    #expect(parsed.operands == ["a", "--set", "x"])
    #expect(parsed.options.map(\.name) == ["demo"])
  }

  @Test func twoDashesEndThem() throws {
    #expect(try ParsedArguments(["--", "--demo"], options: known).operands == ["--demo"])
  }

  @Test(arguments: [
    (["--colour"], "unknown option --colour; see --help"), (["-x"], "unknown option -x; see --help"),
    (["--config"], "--config needs a value; see --help"), (["-c"], "-c needs a value; see --help"),
    (["--config="], "--config needs a value; see --help"),
    (["-c", ""], "--config needs a value; see --help"),
    (["--demo=yes"], "--demo takes no value; see --help"),
    (["-dx"], "unknown option -x; see --help"), (["-dx", "operand"], "unknown option -x; see --help"),
  ])
  func complains(_ arguments: [String], _ message: String) {
    #expect(throws: UsageError(message)) { try ParsedArguments(arguments, options: known) }
  }
}
