import Motion
import Testing

@testable import Traces

/// One small file of each kind, in all the ways in which such files are written.
struct FormatTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let name: String
    let format: TraceFormat
    let text: String
    let samples: [RawSample]
    var columns: String?
    var testDescription: String { name }
  }

  static let examples: [Example] = [
    Example(
      name: "Gyroflow, whole nanoseconds", format: .gyroflow,
      text: """
        GYROFLOW IMU LOG
        version,1.3
        id,parallaxd_test
        orientation,YxZ
        note,"one, two"
        tscale,0.001
        gscale,0.00122173047
        ascale,0.00048828125
        t,gx,gy,gz,ax,ay,az
        0,39,86,183,-1137,-15689,-2986
        1,56,-100,20,-1179,-15694,-2887
        """,
      samples: [RawSample(0, 39, 86, 183), RawSample(1_000_000, 56, -100, 20)]),
    Example(
      name: "Gyroflow of a camera, other fractions of a second", format: .gyroflow,
      text: "CAMERA IMU LOG\ntscale,3.05e-5\ngscale,1\nt,gx,gy,gz\n3,1,2,3\n4,1,2,3\n",
      samples: [RawSample(91_500, 1, 2, 3), RawSample(122_000, 1, 2, 3)]),
    Example(
      name: "Gyroflow, a third of a millisecond as programs print it", format: .gyroflow,
      text: "GYROFLOW IMU LOG\ntscale,0.00033333333333333335\ngscale,1\nt,gx,gy,gz\n1,1,2,3\n3,1,2,3\n",
      samples: [RawSample(333_333, 1, 2, 3), RawSample(1_000_000, 1, 2, 3)]),
    Example(
      name: "plain, with blanks around the commas", format: .plain,
      text: " t , x , y , z \n 0 , 1 , 2 , 3 \n 1 , 4 , 5 , 6\n",
      samples: [RawSample(0, 1, 2, 3), RawSample(1_000_000_000, 4, 5, 6)]),
    Example(
      name: "Gyroflow, ticks that are no whole nanoseconds", format: .gyroflow,
      text: "GYROFLOW IMU LOG\ntscale,0.0000305175\ngscale,1\nt,gx,gy,gz\n1,1,2,3\n3,1,2,3\n2,1,2,3\n",
      samples: [RawSample(30_518, 1, 2, 3), RawSample(91_552, 1, 2, 3), RawSample(61_035, 1, 2, 3)]),
    Example(
      name: "EuRoC", format: .euroc,
      text: """
        #timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],a_RS_S_x [m s^-2]
        1403715273262142976,-0.0020943951023931952,0.017453292519943295,0.07749261878854824,9.08
        1403715273262142977,1e-3,2,3,9.08
        """,
      samples: [
        RawSample(
          1_403_715_273_262_142_976, -0.0020943951023931952, 0.017453292519943295, 0.07749261878854824),
        RawSample(1_403_715_273_262_142_977, 0.001, 2, 3),
      ]),
    Example(
      name: "phyphox, commas", format: .phyphox,
      text: """
        "Time (s)","Gyroscope x (rad/s)","Gyroscope y (rad/s)","Gyroscope z (rad/s)"
        -7.579043000E-2,-3.274238110E-2,3.602069244E-2,3.239011168E-1
        2.5E0,1.0E0,-0.0E0,1.0E-1
        """,
      samples: [
        RawSample(-75_790_430, -3.27423811e-2, 3.602069244e-2, 0.3239011168),
        RawSample(2_500_000_000, 1, -0.0, 0.1),
      ]),
    Example(
      name: "phyphox, semicolons and decimal commas", format: .phyphox,
      text: """
        "Time (s)";"Gyroscope x (rad/s)";"Gyroscope y (rad/s)";"Gyroscope z (rad/s)";"Absolute (rad/s)"
        2,120541666E-2;4,554086830E-3;-1,811040565E-2;7,251800038E-3;2,003285061E-2
        3;4;5;6;7
        """,
      samples: [
        RawSample(21_205_417, 4.55408683e-3, -1.811040565e-2, 7.251800038e-3),
        RawSample(3_000_000_000, 4, 5, 6),
      ]),
    Example(
      name: "phyphox, TABs", format: .phyphox,
      text: "Time (s)\tGyroscope x (rad/s)\tGyroscope y (rad/s)\tGyroscope z (rad/s)\n0.1\t1.5\t2.5\t3.5\n",
      samples: [RawSample(100_000_000, 1.5, 2.5, 3.5)]),
    Example(
      name: "Sensor Logger", format: .sensorLogger,
      text: """
        time,seconds_elapsed,z,y,x
        1679068247609296600,0.410296630859375,-0.001832595793530345,0,-0.0024434609804302454
        """,
      samples: [RawSample(1_679_068_247_609_296_600, -0.0024434609804302454, 0, -0.001832595793530345)]),
    Example(
      name: "plain, nanoseconds, in any order and with more columns", format: .plain,
      text: "z, y ,temperature,timestamp_ns,x\n3,2,20.5,-17,1\n6,5,,18,4\n",
      samples: [RawSample(-17, 1, 2, 3), RawSample(18, 4, 5, 6)]),
    Example(
      name: "plain, seconds", format: .plain, text: "t,x,y,z\n0.0000000005,1,2,3\n0.0000000015,+.5,-1.,1E2\n",
      samples: [RawSample(0, 1, 2, 3), RawSample(2, 0.5, -1, 100)]),
    Example(
      name: "plain after comments, one of each kind", format: .plain,
      text: "# recorded by hand\n// 50 Hz\n\n#t,x,y,z\n1,2,3,4\n",
      samples: [RawSample(1_000_000_000, 2, 3, 4)]),
    Example(
      name: "header without rows", format: .plain, text: "t,x,y,z", samples: []),
    Example(
      name: "mapping by name", format: .mapped,
      text: "Time_ms,AX,GX,GY,GZ\n1768149426894,-0.002,-2.5,1.25,\"1\"\n",
      samples: [RawSample(1_768_149_426_894_000_000, -2.5, 1.25, 1)],
      columns: "t=Time_ms:ms,x=GX:deg/s,y=GY:deg/s,z=GZ:deg/s"),
    Example(
      name: "mapping by name behind other lines, with blanks and quotes", format: .mapped,
      text: "a recording\nby,somebody\nTime (s) ;\"Rate, x\"; Rate y;Rate z\n 1,5 ; 2,5;-3 ;4\n",
      samples: [RawSample(1_500_000_000, 2.5, -3, 4)],
      columns: "t=Time (s):s,x=\"Rate, x\":rad/s,y=Rate y:rad/s,z=Rate z:rad/s"),
    Example(
      name: "mapping by number without a header", format: .mapped, text: "1,-6.87E-04,0.5,0\n11,1,2,3\n",
      samples: [RawSample(1_000_000, -6.87e-4, 0.5, 0), RawSample(11_000_000, 1, 2, 3)],
      columns: "t=1:ms,x=2:rad/s,y=3:rad/s,z=4:rad/s"),
    Example(
      name: "mapping by number with a header", format: .mapped, text: "// 50 Hz\nn\ta\tb\tc\n 7\t1\t2\t3\t\n",
      samples: [RawSample(140_000_000, 1, 2, 3)], columns: "z=4:rad/s,y=3:rad/s,x=2:rad/s,t=1:20ms"),
    Example(
      name: "mapping of a table with runs of blanks", format: .mapped,
      text: "  1.5   2  3    4\n10 20 30 40\n",
      samples: [RawSample(1500, 2, 3, 4), RawSample(10_000, 20, 30, 40)],
      columns: "t=1:us,x=2:lsb=0.001,y=3:lsb=0.001,z=4:lsb=0.001"),
  ]

  @Test(arguments: examples)
  func isRead(_ example: Example) throws {
    let trace = try TraceText(example.text, columns: example.columns)
    #expect(trace.errors == [])
    #expect(trace.samples == example.samples)
    #expect(trace.layout.format == example.format)
  }

  /// The line ends of other systems, a byte order mark, no end or several at the end.
  @Test(arguments: examples, ["\n", "\r\n", "\r"])
  func isReadWithAnyLineEnd(_ example: Example, _ lineEnd: String) throws {
    let text = example.text.split(separator: "\n", omittingEmptySubsequences: false).joined(
      separator: lineEnd)
    for variant in [text, text + lineEnd, text + lineEnd + " " + lineEnd + lineEnd, "\u{feff}" + text] {
      let trace = try TraceText(variant, columns: example.columns)
      #expect(trace.errors == [])
      #expect(trace.samples == example.samples)
    }
  }

  /// Where the pieces end that a file is read in makes no difference.
  @Test(arguments: examples)
  func isReadInAnyPieces(_ example: Example) throws {
    for chunk in 1...9 {
      let trace = try TraceText(example.text, columns: example.columns, chunk: chunk)
      #expect(trace.errors == [])
      #expect(trace.samples == example.samples)
    }
  }

  @Test func gyroflowSaysHowTheSensorSits() throws {
    let layout = try TraceText(Self.examples[0].text).layout
    #expect(layout.model.scale == Vector3(repeating: 0.00122173047))
    #expect(layout.model.mountMatrix * Vector3(1, 2, 3) == Vector3(2, -1, 3))
    #expect(layout.hasOrientation)
    #expect(layout.model.nominalFrequency == 0)
    let rated = try TraceText(
      "GYROFLOW IMU LOG\nsample_rate,200\ntscale,1e-9\ngscale,0.001064724\nt,gx,gy,gz\n1403715273262142976,1,2,3"
    )
    #expect(rated.layout.model.nominalFrequency == 200)
    #expect(!rated.layout.hasOrientation)
    #expect(rated.layout.model.mountMatrix == .identity)
    #expect(rated.samples == [RawSample(1_403_715_273_262_142_976, 1, 2, 3)])
  }

  @Test func aMappingSaysTheScale() throws {
    let columns = "t=1:s,x=2:deg/s,y=3:rad/s,z=4:lsb=0.001064724"
    let model = try TraceText("1,2,3,4", columns: columns).layout.model
    #expect(model.scale == Vector3(Double.pi / 180, 1, 0.001064724))
  }
}
