import Motion
import Testing
import Wire

@testable import parallaxctl

/// What `doctor --axes` makes of three turns.
@Suite struct AxisTurnsTests {
  @Test(arguments: ["XYZ", "yXz", "Zxy", "xyz", "zYX"], [0, 90, 180, 270])
  func whatIsConfiguredIsUndone(_ axes: String, _ rotation: Int) throws {
    var status = Status(backend: "iio")
    status.sensor.mountMatrix = [0, -1, 0, 1, 0, 0, 0, 0, 1]
    status.settings = [
      .init(name: "sensor.axes", value: "\"\(axes)\""),
      .init(name: "sensor.screen_rotation", value: "\(rotation)"),
    ]
    status.bias = [0.5, 0, 0]
    let frame = try #require(FrameOfSensor(status))
    let mount = Matrix3(rows: Vector3(0, -1, 0), Vector3(1, 0, 0), Vector3(0, 0, 1))
    let letters = try #require(Matrix3(axisLetters: axes))
    let rate = Matrix3(screenRotation: rotation) * letters * mount * Vector3(1, 2, 3)
    #expect(frame.beforeAxes(rate) == mount * Vector3(1, 2, 3))
    #expect(frame.bias(meanRate: rate) == Vector3(1.5, 2, 3))
  }

  @Test func turnsBecomeLetters() throws {
    // Every permutation with every sign: what the sensor shows about axis n is column n of the inverse.
    for order in ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"] {
      for signs in 0..<8 {
        let letters = String(
          order.enumerated().map {
            signs >> $0.offset & 1 == 1 ? Character($0.element.lowercased()) : $0.element
          })
        let matrix = try #require(Matrix3(axisLetters: letters))
        var turns = AxisTurns()
        for unit in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)] {
          let shown = matrix.transposed * unit
          #expect(turns.take(Vector3(shown.x * 0.8 + 0.1, shown.y * 0.8 - 0.1, shown.z * 0.8)) == nil)
        }
        #expect(turns.axes == letters)
        #expect(turns.isMirrored == (matrix.determinant < 0))
      }
    }
  }

  @Test func uselessTurns() {
    var turns = AxisTurns()
    #expect(turns.take(.zero)?.contains("too little") == true)
    #expect(turns.take(Vector3(0.1, 0, 0))?.contains("too little") == true)
    #expect(turns.take(Vector3(.nan, .nan, .nan))?.contains("too little") == true)
    #expect(turns.take(Vector3(1, 0.7, 0))?.contains("two axes") == true)
    #expect(turns.take(Vector3(1, 0.5, 0)) == nil)
    #expect(turns.take(Vector3(-1, 0, 0))?.contains("the turn about x") == true)
    #expect(turns.next == 1 && turns.axes == nil)
  }

  @Test func angles() {
    var angle = TurnAngle(rest: Vector3(0.5, 0, 0))
    for index in 0..<100 {
      angle.add(Vector3(1.5, -1, 0), at: Int64(index) * 10_000_000, isGap: false)
    }
    #expect((angle.angle.x - 0.99).magnitude < 1e-9 && (angle.angle.y + 0.99).magnitude < 1e-9)
    let before = angle.angle
    // What is missing is not made up; a stamp that goes back counts for nothing.
    angle.add(Vector3(9, 9, 9), at: 1_000_000_000, isGap: true)
    angle.add(Vector3(9, 9, 9), at: 9_000_000_000, isGap: false)
    angle.add(Vector3(9, 9, 9), at: .min, isGap: false)
    #expect(angle.angle == before)
  }
}
