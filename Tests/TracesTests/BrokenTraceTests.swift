import Motion
import Testing

@testable import Traces

/// What cannot be read, and what people are told.
struct BrokenTraceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let row: String
    /// Where, and the beginning of what is said.
    let column: Int
    let text: String
    var header = "t,x,y,z"
    var testDescription: String { row }
  }

  static let rows: [Row] = [
    Row(row: "1,2,3", column: 6, text: "z: the row ends before this column"),
    Row(row: "1", column: 2, text: "x: the row ends before this column"),
    Row(row: "1,abc,3,4", column: 3, text: "x: expected a finite number, found \"abc\""),
    Row(row: "1,2, ,4", column: 6, text: "y: expected a finite number, found \"\""),
    Row(row: "1,2,nan,4", column: 5, text: "y: expected a finite number, found \"nan\""),
    Row(row: "1,2,3,inf", column: 7, text: "z: expected a finite number, found \"inf\""),
    Row(row: "1,2,3,1e999", column: 7, text: "z: expected a finite number, found \"1e999\""),
    Row(row: "1,2,3,0x10", column: 7, text: "z: expected a finite number, found \"0x10\""),
    Row(row: "1,2,3,4 5", column: 7, text: "z: expected a finite number, found \"4 5\""),
    Row(row: "1,--2,3,4", column: 3, text: "x: expected a finite number, found \"--2\""),
    Row(row: "1,+-2,3,4", column: 3, text: "x: expected a finite number, found \"+-2\""),
    Row(row: "1,\"2,5\",3,4", column: 4, text: "x: decimal points and decimal commas in one file: \"2,5\""),
    Row(row: "12:30,2,3,4", column: 1, text: "t: expected a decimal number within ±2^62 ns, found \"12:30\""),
    Row(row: "nan,2,3,4", column: 1, text: "t: expected a decimal number"),
    Row(row: "4611686019,2,3,4", column: 1, text: "t: expected a decimal number within ±2^62 ns"),
    Row(row: "-4611686019,2,3,4", column: 1, text: "t: expected a decimal number within ±2^62 ns"),
    Row(row: ",2,3,4", column: 1, text: "t: expected a decimal number"),
    Row(row: "# comment", column: 1, text: "t: expected a decimal number"),
    Row(row: "1,2,\u{7},4", column: 5, text: "y: expected a finite number, found \"\\u{7}\""),
    Row(
      row: "1;2.5;3,5;4", column: 7, text: "y: decimal points and decimal commas in one file: \"3,5\"",
      header: "t;x;y;z"),
  ]

  @Test(arguments: rows)
  func isNamedWithItsPlace(_ row: Row) throws {
    let good = row.header.contains(";") ? "1;2;3;4" : "1,2,3,4"
    let trace = try TraceText([row.header, good, "", row.row, good].joined(separator: "\n"))
    #expect(trace.samples.count == 2)
    let error = try #require(trace.errors.first)
    #expect(trace.errors.count == 1)
    #expect(error.line == 4)
    #expect(error.column == row.column)
    #expect(error.text.hasPrefix(row.text), "\(error.text)")
  }

  @Test func aMappedColumnHasItsName() throws {
    let trace = try TraceText(
      "Time,GX,GY,GZ\n1,2,x,4\n", columns: "t=Time:s,x=GX:rad/s,y=GY:rad/s,z=4:rad/s")
    #expect(trace.errors.map(\.description) == ["2:5: y (GY): expected a finite number, found \"x\""])
  }

  /// The decimal mark is settled by the first row that is whole, not by a broken one.
  @Test func aBrokenRowDoesNotSettleTheDecimalMark() throws {
    let trace = try TraceText("t;x;y;z\n1.5;2;3;?\n1,5;2;3;4\n")
    #expect(trace.errors.map(\.line) == [2])
    #expect(trace.samples == [RawSample(1_500_000_000, 2, 3, 4)])
  }

  @Test(arguments: [1, 7, 70_000, nil])
  func aLineWithoutEndIsPassedOver(_ chunk: Int?) throws {
    let long = String(repeating: "1,", count: TraceLayout.lineLimit)
    let text = "t,x,y,z\n1,2,3,4\n\(long)\n5,6,7,8\n"
    // Byte by byte only once: the decoder looks at the whole unfinished line each time.
    let trace = try TraceText(text, chunk: chunk.map { $0 < 70_000 ? $0 * 5000 : $0 })
    #expect(trace.errors.map(\.description) == ["3: the line is longer than 65536 bytes"])
    #expect(trace.samples.map(\.timestampNanoseconds) == [1_000_000_000, 5_000_000_000])
  }

  struct Header: Sendable, CustomTestStringConvertible {
    let text: String
    let line: Int
    let error: String
    var columns: String?
    var testDescription: String { error }
  }

  static let headers: [Header] = [
    Header(text: "", line: 0, error: "there are no rows"),
    Header(text: "# only\n# comments\n", line: 0, error: "there are no rows"),
    Header(text: "\u{0}\u{1}\u{2}", line: 1, error: "unknown header (\\u{0}\\u{1}\\u{2}): a trace has"),
    Header(
      text: "# a,b\n# p,q,r,s\n1,2,3,4\n", line: 2,
      error: "unknown header (p, q, r, s); no column sounds like a time; name"),
    Header(text: "1,2,3,4\n", line: 1, error: "there is no header; give the columns by number"),
    Header(text: "1,2,3\n", line: 1, error: "no header, and 3 columns: a trace has a time and three rates"),
    Header(
      text: "time,x,y,z\n1,2,3,4\n", line: 1, error: "unknown header (time, x, y, z); name the columns: "),
    Header(
      text: "Time (s),Gyroscope x (deg/s)\n", line: 1,
      error: "unknown header (Time (s), Gyroscope x (deg/s)): a trace has a time and three rates"),
    Header(text: "t,x,y,z,x\n", line: 1, error: "two columns are named \"x\""),
    Header(text: "t,timestamp_ns,x,y,z\n", line: 1, error: "the header fits"),
    Header(text: "GYROFLOW IMU LOG\ntscale,1\ngscale,1\n1,2,3,4\n", line: 0, error: "the row \"t,gx,gy,gz\""),
    Header(
      text: "GYROFLOW IMU LOG\ngscale,1\nt,gx,gy,gz\n", line: 3,
      error: "the header of the .gcsv has no tscale"),
    Header(
      text: "GYROFLOW IMU LOG\ntscale,1\nt,gx,gy,gz\n", line: 3,
      error: "the header of the .gcsv has no gscale"),
    Header(
      text: "GYROFLOW IMU LOG\ntscale,0\ngscale,1\nt,gx,gy,gz\n", line: 2, error: "tscale: expected seconds"),
    Header(
      text: "GYROFLOW IMU LOG\ntscale,-1\ngscale,1\nt,gx,gy,gz\n", line: 2, error: "tscale: expected seconds"),
    Header(
      text: "GYROFLOW IMU LOG\ntscale,1\ngscale,nan\nt,gx,gy,gz\n", line: 3, error: "gscale: expected rad/s"),
    Header(
      text: "GYROFLOW IMU LOG\ntscale,1\ngscale,1\norientation,XXZ\nt,gx,gy,gz\n", line: 4,
      error: "orientation: expected three letters"),
    Header(
      text: "GYROFLOW IMU LOG\ntscale,1\ngscale,1\nsample_rate,0\nt,gx,gy,gz\n", line: 4,
      error: "sample_rate: expected samples per second"),
    Header(
      text: "GYROFLOW IMU LOG\ntscale,1\ntscale,2\ngscale,1\nt,gx,gy,gz\n", line: 3,
      error: "tscale is given twice"),
    Header(
      text: "GYROFLOW IMU LOG\ntscale,1\ngscale,1\nt,gx,gy\n", line: 4, error: "no column is named \"gz\""),
    Header(
      text: "a,b,c,d\n1,2,3,4\n", line: 1, error: "no column is named \"e\"; there are a, b, c, d",
      columns: "t=a:s,x=b:rad/s,y=c:rad/s,z=e:rad/s"),
    Header(
      text: "a,b,b,d\n1,2,3,4\n", line: 1, error: "two columns are named \"b\"",
      columns: "t=a:s,x=b:rad/s,y=3:rad/s,z=4:rad/s"),
    Header(
      text: "a,b,c,d\n1,2,3,4\n", line: 1, error: "two of t, x, y and z are the same column",
      columns: "t=a:s,x=b:rad/s,y=2:rad/s,z=4:rad/s"),
    Header(text: "\n\n", line: 0, error: "there are no rows", columns: "t=1:s,x=2:rad/s,y=3:rad/s,z=4:rad/s"),
  ]

  @Test(arguments: headers)
  func isRefusedAtOnce(_ header: Header) throws {
    let error = #expect(throws: TraceError.self) { _ = try TraceText(header.text, columns: header.columns) }
    let found = try #require(error)
    #expect(found.line == header.line)
    #expect(found.text.hasPrefix(header.error), "\(found.text)")
  }

  @Test func otherEncodingsAreNamed() throws {
    let error = #expect(throws: TraceError.self) { _ = try TraceText([0xff, 0xfe, 0x74, 0, 0x2c, 0]) }
    #expect(error?.text == "the text is UTF-16; save it as UTF-8")
  }

  /// A row of which a part is a number is a broken row, not a header.
  @Test func aBrokenFirstRowIsNoHeader() throws {
    let trace = try TraceText("1,?,3,4\n2,2,3,4\n", columns: "t=1:s,x=2:rad/s,y=3:rad/s,z=4:rad/s")
    #expect(trace.errors.map(\.line) == [1])
    #expect(trace.samples.count == 1)
  }

  @Test func anErrorIsOneLine() {
    let error = TraceError(file: "a\nb", line: 3, column: 4, "x")
    #expect(error.description == "a\\u{a}b:3:4: x")
    #expect(TraceError("x").description == "x")
  }
}
