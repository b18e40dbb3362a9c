import Testing

@testable import Traces

struct ColumnSuggestionTests {
  @Test(arguments: [
    ("Time_ms,AX,AY,AZ,GX,GY,GZ", "t=Time_ms:ms,x=GX:UNIT,y=GY:UNIT,z=GZ:UNIT"),
    (
      "Time (s);Gyroscope x (deg/s);Gyroscope y (deg/s);Gyroscope z (deg/s)",
      "t=Time (s):s,x=Gyroscope x (deg/s):deg/s,y=Gyroscope y (deg/s):deg/s,z=Gyroscope z (deg/s):deg/s"
    ),
    (
      "Counter,Acc_X,Acc_Y,Acc_Z,Gyr_X,Gyr_Y,Gyr_Z",
      "t=Counter:UNIT,x=Gyr_X:UNIT,y=Gyr_Y:UNIT,z=Gyr_Z:UNIT"
    ),
    (
      "loggingTime,rotationRateX(rad/s),rotationRateY(rad/s),rotationRateZ(rad/s)",
      "t=loggingTime:UNIT,x=rotationRateX(rad/s):rad/s,y=rotationRateY(rad/s):rad/s,z=rotationRateZ(rad/s):rad/s"
    ),
    ("time,x,y,z", "t=time:UNIT,x=x:UNIT,y=y:UNIT,z=z:UNIT"),
    ("time,X_value,Y_value,Z_value", "t=time:UNIT,x=X_value:UNIT,y=Y_value:UNIT,z=Z_value:UNIT"),
    ("time,X_value,Y_value,Z_value,X_raw", nil), ("time,Acc_X,Y_value,Z_value", nil),
    ("accelerometer_x,accelerometer_y,accelerometer_z,time", nil),
    ("x,y,z,w", nil), ("a,b,c,d", nil), ("", nil),
    ("time\u{7},x,y,z", nil),
  ])
  func fitsTheHeader(_ header: String, _ mapping: String?) {
    let names = header.split { $0 == "," || $0 == ";" }.map(String.init)
    #expect(ColumnSuggestion.mapping(of: names) == mapping)
  }

  /// Where nothing is left to say, the suggestion is a mapping.
  @Test func aWholeSuggestionIsAccepted() throws {
    let names = ["Time: (ms)", "gx,deg", "gy,deg", "gz,deg"]
    let mapping = try ColumnMapping(#require(ColumnSuggestion.mapping(of: names)))
    #expect(mapping.references == names.map { .name($0) })
  }

  @Test func aLongListIsCutHonestly() {
    let names = (1...100).map { "column\($0)" }
    let text = TraceError.listing(names)
    #expect(text.count <= 180)
    #expect(text.hasPrefix("column1, column2, "))
    #expect(text.contains(" more"))
    #expect(TraceError.listing(["a", "b"]) == "a, b")
  }
}
