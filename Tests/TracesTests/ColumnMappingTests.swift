import Testing

@testable import Traces

struct ColumnMappingTests {
  @Test func namesNumbersAndUnits() throws {
    let mapping = try ColumnMapping(" t = Time (ms) : 0.5us , z=3:lsb=1e-3,y=\"3\":deg/s,x=\"a,b:c\":rad/s")
    #expect(mapping.references == [.name("Time (ms)"), .name("a,b:c"), .name("3"), .number(3)])
    #expect(mapping.scale == [1, Double.pi / 180, 0.001])
    #expect(mapping.time.wholeNanoseconds == 500)
    #expect(try ColumnMapping("t=a:b:s,x=1:rad/s,y=2:rad/s,z=3:rad/s").references[0] == .name("a:b"))
    #expect(
      try ColumnMapping("t=#timestamp:s,x=2:rad/s,y=3:rad/s,z=4:rad/s").references[0] == .name("timestamp"))
  }

  @Test(arguments: [
    ("ns", 1), ("us", 1000), ("ms", 1_000_000), ("s", 1_000_000_000), ("20ms", 20_000_000),
    ("30.5 us", 30_500),
    ("1e3ns", 1000), ("0.5ns", 0),
  ])
  func timeUnits(_ unit: String, _ nanoseconds: Int64) throws {
    let mapping = try ColumnMapping("t=1:\(unit),x=2:rad/s,y=3:rad/s,z=4:rad/s")
    #expect(mapping.time.wholeNanoseconds == nanoseconds)
  }

  @Test(arguments: [
    ("", "\"\" is not KEY=COLUMN:UNIT"),
    ("t=1:s", "x is missing"),
    ("t=1:s,x=2:rad/s,y=3:rad/s", "z is missing"),
    ("t=1:s,t=2:s,x=2:rad/s,y=3:rad/s,z=4:rad/s", "t is given twice"),
    ("t=1:s,x=2:rad/s,y=2:rad/s,z=4:rad/s", "x and y are the same column"),
    ("time=1:s", "\"time\" is none of t, x, y and z"),
    ("t=1,x=2:rad/s,y=3:rad/s,z=4:rad/s", "t has no unit"),
    ("t=1:,x=2:rad/s,y=3:rad/s,z=4:rad/s", "t has no unit"),
    ("t=1:min,x=2:rad/s,y=3:rad/s,z=4:rad/s", "t: \"min\" is none of ns, us, ms, s"),
    ("t=1:0s,x=2:rad/s,y=3:rad/s,z=4:rad/s", "t: \"0s\" is none of ns, us, ms, s"),
    ("t=1:-1s,x=2:rad/s,y=3:rad/s,z=4:rad/s", "t: \"-1s\" is none of ns, us, ms, s"),
    ("t=1:s,x=2:rpm,y=3:rad/s,z=4:rad/s", "x: \"rpm\" is none of rad/s, deg/s and lsb=FACTOR"),
    ("t=1:s,x=2:lsb=,y=3:rad/s,z=4:rad/s", "x: lsb=FACTOR needs a number above 0"),
    ("t=1:s,x=2:lsb=-1,y=3:rad/s,z=4:rad/s", "x: lsb=FACTOR needs a number above 0"),
    ("t=1:s,x=2:lsb=inf,y=3:rad/s,z=4:rad/s", "x: lsb=FACTOR needs a number above 0"),
    ("t=0:s,x=2:rad/s,y=3:rad/s,z=4:rad/s", "t: column numbers are 1 to 4096, not 0"),
    ("t=99999999999999999999:s,x=2:rad/s,y=3:rad/s,z=4:rad/s", "t: column numbers are 1 to 4096"),
    ("t=:s,x=2:rad/s,y=3:rad/s,z=4:rad/s", "t names no column"),
  ])
  func whatIsWrongIsSaid(_ text: String, _ reason: String) throws {
    let error = #expect(throws: TraceError.self) { _ = try ColumnMapping(text) }
    let found = try #require(error)
    #expect(found.text.hasPrefix("columns: \(reason)"), "\(found.text)")
    #expect(found.text.contains("as in t=Time_ms:ms,"))
  }

  @Test(arguments: [
    (",ax=5:g", "ax, ay and az go together"), (",ax=5:g,ay=6:g", "ax, ay and az go together"),
    (",ax=5,ay=6:g,az=7:g", "ax has no unit; accelerations in m/s2, g or lsb=FACTOR"),
    (",ax=5:g,ay=6:km,az=7:g", "ay: \"km\" is none of m/s2, g and lsb=FACTOR"),
    (",ax=5:g,ay=6:g,az=7:lsb=0", "az: lsb=FACTOR needs a number above 0"),
  ])
  func theExampleIsOfWhatIsWrong(_ more: String, _ reason: String) throws {
    let text = "t=1:s,x=2:rad/s,y=3:rad/s,z=4:rad/s"
    let error = #expect(throws: TraceError.self) { _ = try ColumnMapping(text + more) }
    let found = try #require(error).text
    #expect(found.hasPrefix("columns: \(reason)"), "\(found)")
    #expect(found.hasSuffix("as in ax=AX:g,ay=AY:g,az=AZ:g"), "\(found)")
    // What is shown is one that can be read.
    _ = try ColumnMapping(text + ",ax=AX:g,ay=AY:g,az=AZ:g")
  }

  @Test func lengthIsBounded() {
    #expect(throws: TraceError.self) { _ = try ColumnMapping(String(repeating: "t=1:s,", count: 10_000)) }
  }
}
