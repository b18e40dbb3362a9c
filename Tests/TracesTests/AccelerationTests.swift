import Motion
import TestSupport
import Testing

@testable import Traces

/// Accelerations beside the rates: which columns they are, in which unit, and that they break no row.
struct AccelerationTests {
  private static let g = 9.80665

  static let tables: [(text: String, columns: String?, accelerations: [Vector3?])] = [
    (
      "timestamp_ns,x,y,z,ax,ay,az\n0,1,2,3,4,5,6\n1,1,2,3,-4,5e-1,6\n", nil,
      [Vector3(4, 5, 6), Vector3(-4, 0.5, 6)]
    ),
    ("t;az;x;ay;y;ax;z\n0;6;1;5;2;4,5;3\n", nil, [Vector3(4.5, 5, 6)]),
    (
      "#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],a_RS_S_x [m s^-2],"
        + "a_RS_S_y [m s^-2],a_RS_S_z [m s^-2]\n7,1,2,3,4,5,6\n", nil, [Vector3(4, 5, 6)]
    ),
    (
      "GYROFLOW IMU LOG\ntscale,0.001\ngscale,1\nascale,0.5\nt,gx,gy,gz,ax,ay,az\n0,1,2,3,2,4,6\n", nil,
      [Vector3(0.5 * g * 2, 0.5 * g * 4, 0.5 * g * 6)]
    ),
    // Without their scale, or without one of them, there are none.
    ("GYROFLOW IMU LOG\ntscale,0.001\ngscale,1\nt,gx,gy,gz,ax,ay,az\n0,1,2,3,2,4,6\n", nil, [nil]),
    ("GYROFLOW IMU LOG\ntscale,0.001\ngscale,1\nascale,x\nt,gx,gy,gz,ax,ay,az\n0,1,2,3,2,4,6\n", nil, [nil]),
    ("timestamp_ns,x,y,z,ax,ay\n0,1,2,3,4,5\n", nil, [nil]),
    ("timestamp_ns,x,y,z,ax,ay,az,ax\n0,1,2,3,4,5,6,7\n", nil, [nil]),
    (
      "T,A,B,C,D,E,F\n0,1,2,3,4,5,6\n",
      "t=T:s,x=A:rad/s,y=B:rad/s,z=C:rad/s,ax=D:m/s2,ay=E:g,az=F:lsb=0.5", [Vector3(4, 5 * g, 3)]
    ),
    (
      "0 1 2 3 4 5 6\n", "t=1:s,x=2:rad/s,y=3:rad/s,z=4:rad/s,ax=7:m/s2,ay=6:m/s2,az=5:m/s2",
      [Vector3(6, 5, 4)]
    ),
    // What is no number is no acceleration, and the row is as good as any.
    (
      "timestamp_ns,x,y,z,ax,ay,az\n0,1,2,3,,,\n1,1,2,3\n2,1,2,3,4,nan,6\n3,1,2,3,4,\"5\",6 \n4,1,2,3,4,x,6\n"
        + "5,1,2,3,1e400,5,6\n", nil, [nil, nil, nil, Vector3(4, 5, 6), nil, nil]
    ),
  ]

  private static func samples(_ bytes: [UInt8], _ columns: String?) throws -> (
    with: [RawSample], without: [RawSample]
  ) {
    let mapping = try columns.map { try ColumnMapping($0) }
    let layout = try bytes.withUnsafeBytes { try TraceLayout.detect($0, isWhole: true, mapping: mapping) }
    func read(_ readsAcceleration: Bool) -> [RawSample] {
      var decoder = TraceDecoder(layout: layout, readsAcceleration: readsAcceleration)
      var samples: [RawSample] = []
      while true {
        switch bytes.withUnsafeBytes({ decoder.next(in: $0, isLast: true) }) {
        case .sample(let sample): samples.append(sample)
        case .fault: continue
        case .needsMore, .end: return samples
        }
      }
    }
    return (read(true), read(false))
  }

  @Test(arguments: tables)
  func areRead(_ text: String, _ columns: String?, _ accelerations: [Vector3?]) throws {
    let (with, without) = try Self.samples(Array(text.utf8), columns)
    #expect(with.map(\.acceleration) == accelerations)
    #expect(without.allSatisfy { $0.acceleration == nil })
    #expect(with.map(\.raw) == without.map(\.raw))
  }

  @Test(arguments: [
    ("ax=5:m/s2", "ax, ay and az go together"),
    ("ax=5:m/s2,ay=6:m/s2,az=7:rad/s", "az: \"rad/s\" is none of m/s2, g and lsb=FACTOR"),
    ("ax=5:m/s2,ay=6:m/s2,az=7:lsb=0", "az: lsb=FACTOR needs a number above 0"),
    ("ax=5:m/s2,ay=6:m/s2,az=7", "az has no unit"),
    ("ax=5:m/s2,ax=6:m/s2", "ax is given twice"),
    ("aw=5:m/s2", "\"aw\" is none of t, x, y and z"),
  ])
  func whatIsWrongIsSaid(_ part: String, _ reason: String) throws {
    let error = #expect(throws: TraceError.self) {
      _ = try ColumnMapping("t=1:s,x=2:rad/s,y=3:rad/s,z=4:rad/s,\(part)")
    }
    #expect(error?.text.hasPrefix("columns: \(reason)") == true, "\(error?.text ?? "")")
  }

  @Test func oneColumnTwiceIsSaid() {
    let bytes = Array("1,2,3,4,5\n".utf8)
    #expect(throws: TraceError.self) {
      try Self.samples(bytes, "t=1:s,x=2:rad/s,y=3:rad/s,z=4:rad/s,ax=5:g,ay=5:g,az=4:g")
    }
  }

  /// Whatever stands there, rows are the same as without, and what is read is finite.
  @Test func hostileColumnsDoNoHarm() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("acceleration seed \(seed)")
    var generator = SplitMix64(seed: seed)
    let pieces = ["4", "-5.5", "", "\"", ",", "nan", "1e308", "x", "\t", "7", "\"8\"", ";", "+1", "\u{0}"]
    for _ in 0..<3000 {
      var row = "0,1,2,3,"
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        row += (pieces.randomElement(using: &generator) ?? "") + (Bool.random(using: &generator) ? "," : "")
      }
      let (with, without) = try Self.samples(Array("timestamp_ns,x,y,z,ax,ay,az\n\(row)\n".utf8), nil)
      #expect(with.map(\.raw) == without.map(\.raw))
      for sample in with {
        guard let a = sample.acceleration else { continue }
        #expect(a.x.isFinite && a.y.isFinite && a.z.isFinite, "seed \(seed)")
      }
    }
  }
}
