import Testing

@testable import Motion

/// Row 1: raw values → ω.
@Suite struct OrientationTests {
  static let axes: [(String, Vector3?)] = [
    ("XYZ", Vector3(1, 2, 3)), ("yXz", Vector3(-2, 1, -3)), ("ZYX", Vector3(3, 2, 1)),
    ("xyz", Vector3(-1, -2, -3)), ("YZx", Vector3(2, 3, -1)), ("", nil), ("XY", nil), ("XYZX", nil),
    ("XXZ", nil), ("XxZ", nil), ("XYW", nil), ("X Y", nil), ("XÿZ", nil),
  ]

  @Test(arguments: axes)
  func letters(_ text: String, _ expected: Vector3?) {
    #expect(Matrix3(axisLetters: text).map { $0 * Vector3(1, 2, 3) } == expected)
  }

  static let rotations: [(Int, Vector3)] = [
    (0, Vector3(1, 2, 3)), (90, Vector3(2, -1, 3)), (180, Vector3(-1, -2, 3)), (270, Vector3(-2, 1, 3)),
  ]

  @Test(arguments: rotations)
  func screenRotation(_ degrees: Int, _ expected: Vector3) {
    #expect(Matrix3(screenRotation: degrees) * Vector3(1, 2, 3) == expected)
    let pipeline = Driven { $0.screenRotation = degrees }
    _ = pipeline.process(RawSample(ms: 0, 1, 2, 3))
    #expect(pipeline.rate == expected)
  }

  @Test func theMountMatrixComesFirstThenTheAxesThenTheRotation() throws {
    let mount = Matrix3(rows: Vector3(0, 0, 2), Vector3(1, 0, 0), Vector3(0, 1, 0))
    let axes = try #require(Matrix3(axisLetters: "yXz"))
    let pipeline = Driven(SensorModel(mountMatrix: mount)) {
      $0.axes = axes
      $0.screenRotation = 90
    }
    // M: (1, 2, 3) → (6, 1, 2); A: → (−1, 6, −2); R: → (6, 1, −2).
    _ = pipeline.process(RawSample(ms: 0, 1, 2, 3))
    #expect(pipeline.rate == Vector3(6, 1, -2))
  }

  @Test func offsetThenScaleThenBiasThenTheMatrix() {
    let swapped = Matrix3(rows: Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, -1))
    let model = SensorModel(scale: Vector3(2, 3, 4), offset: Vector3(10, 20, 30), mountMatrix: swapped)
    let pipeline = Driven(model) {
      $0.biasMode = .fixed
      $0.bias = Vector3(0.5, 0.25, 1)
    }
    _ = pipeline.process(RawSample(ms: 0, 1, 2, 3))
    #expect(pipeline.rate == Vector3(22 * 3 - 0.25, 11 * 2 - 0.5, -(33 * 4 - 1)))
  }

  /// Row sums run from left to right: another order rounds otherwise.
  @Test func rowSumsRunFromLeftToRight() {
    let matrix = Matrix3(rows: Vector3(1, 1, 1), Vector3(1, 1, 1), Vector3(1, 1, 1))
    #expect(matrix * Vector3(1e16, 1, -1e16) == Vector3(repeating: 0))
    #expect(matrix * Vector3(1e16, -1e16, 1) == Vector3(repeating: 1))
  }
}
