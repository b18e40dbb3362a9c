import Motion
import TestSupport
import Testing

@testable import Sensors

@Suite struct MountMatrixTests {
  static let identity = "1, 0, 0; 0, 1, 0; 0, 0, 1"
  static let turned = "0, 1, 0; -1, 0, 0; 0, 0, 1"
  static let mirrored = "0, 1, 0; 1, 0, 0; 0, 0, 1"
  static let rows = [
    "identity": Matrix3.identity,
    "turned": Matrix3(rows: Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1)),
    "mirrored": Matrix3(rows: Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, 1)),
  ]

  struct Case {
    /// Whether it is the gyroscope's own, and its text, by rank.
    var candidates: [(isOwn: Bool, text: String?)]
    var matrix: String
    /// The number of the candidate, from 0; nil: none.
    var from: Int?
    /// What each warning has in it.
    var warnings: [String] = []
  }

  @Test(arguments: [
    Case(candidates: [], matrix: "identity"),
    Case(candidates: [(true, nil), (false, nil)], matrix: "identity"),
    Case(candidates: [(true, identity)], matrix: "identity", from: 0),
    Case(candidates: [(true, turned), (true, identity)], matrix: "turned", from: 0),
    // A kernel's identity is no answer.
    Case(candidates: [(true, identity), (false, identity), (false, turned)], matrix: "turned", from: 2),
    Case(candidates: [(true, identity), (true, nil), (false, identity)], matrix: "identity", from: 0),
    // No rotation: the gyroscope's own is used, anybody else's is not.
    Case(
      candidates: [(true, mirrored), (false, turned)], matrix: "mirrored", from: 0,
      warnings: ["used as it is"]),
    Case(
      candidates: [(false, mirrored)], matrix: "identity", warnings: ["`parallaxctl doctor --axes`"]),
    Case(
      candidates: [(true, identity), (false, mirrored), (false, turned)], matrix: "turned", from: 2,
      warnings: ["determinant is -1.0"]),
    Case(
      candidates: [(true, identity), (false, mirrored)], matrix: "identity", from: 0,
      warnings: ["left out"]),
    Case(candidates: [(false, "0.99, 0, 0; 0, 0.99, 0; 0, 0, 0.99")], matrix: "identity", warnings: ["0.97"]),
    // What does not parse is as good as an identity.
    Case(candidates: [(true, "(null)")], matrix: "identity", warnings: ["no mount matrix"]),
    Case(
      candidates: [(true, "0, 0, 0; 0, 0, 0; 0, 0, 0"), (false, turned)], matrix: "turned", from: 1,
      warnings: ["no mount matrix"]),
  ])
  func choice(of one: Case) {
    let candidates = one.candidates.enumerated().map { number, candidate in
      MountMatrixChoice.Candidate(
        source: "candidate\(number)", isOwn: candidate.isOwn, text: { candidate.text })
    }
    let choice = MountMatrixChoice(configured: nil, candidates: candidates)
    #expect(choice.matrix == Self.rows[one.matrix])
    #expect(choice.source == one.from.map { "candidate\($0)" } ?? "none")
    #expect(choice.warnings.count == one.warnings.count, "\(choice.warnings)")
    for (warning, part) in zip(choice.warnings, one.warnings) { #expect(warning.contains(part)) }
  }

  /// It holds whatever it is, and nothing is read.
  @Test func configured() throws {
    let never = MountMatrixChoice.Candidate(source: "x", isOwn: true) {
      Issue.record("read although the configuration says it")
      return nil
    }
    for (name, matrix) in Self.rows {
      let choice = MountMatrixChoice(configured: matrix, candidates: [never])
      #expect((choice.matrix, choice.source) == (matrix, "configuration"))
      #expect(choice.warnings.count == (name == "mirrored" ? 1 : 0))
    }
  }

  /// Nothing after the one that holds is read: a read can take seconds.
  @Test func readsNoMoreThanNeeded() {
    var read: [Int] = []
    let candidates = [Self.identity, Self.turned, Self.turned].enumerated().map { number, text in
      MountMatrixChoice.Candidate(source: "\(number)", isOwn: true) {
        read.append(number)
        return text
      }
    }
    #expect(MountMatrixChoice(configured: nil, candidates: candidates).source == "1")
    #expect(read == [0, 1])
  }
}

@Suite struct UdevPropertiesTests {
  static let text = """
    I:12153647
    E:IIO_SENSOR_PROXY_TYPE=iio-poll-accel
    E:ACCEL_MOUNT_MATRIX=0, 1, 0; -1, 0, 0; 0, 0, 1
    G:systemd
    """

  @Test(arguments: [
    (text, "0, 1, 0; -1, 0, 0; 0, 0, 1"), ("E:ACCEL_MOUNT_MATRIX=", ""), ("", nil),
    ("E:ACCEL_MOUNT_MATRIX", nil), ("E:ACCEL_MOUNT_MATRIX_2=1", nil), ("S:ACCEL_MOUNT_MATRIX=1", nil),
    ("E:A=E:ACCEL_MOUNT_MATRIX=1", nil), ("E:ACCEL_MOUNT_MATRIX=1\nE:ACCEL_MOUNT_MATRIX=2", "1"),
  ])
  func values(text: String, value: String?) {
    #expect(UdevProperties.value(of: "ACCEL_MOUNT_MATRIX", in: text) == value)
  }

  @Test(arguments: [
    ("250:0", "iio:device0", "c250:0"), (nil, "iio:device12", "+iio:iio:device12"), ("", "iio:device0", nil),
    ("250", "iio:device0", nil), ("../../etc:0", "iio:device0", nil), ("250:0/x", "iio:device0", nil),
    (nil, "../x", nil), (nil, "", nil), ("+1:2", "iio:device0", nil),
  ])
  func fileNames(number: String?, id: String, name: String?) {
    #expect(UdevProperties.fileName(number: number, id: id) == name)
  }

  @Test func anyText() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix64(seed: seed)
    let alphabet = Array("E:=\n\rACLMOUNT_MATRIX,;10 \u{0}é")
    for _ in 0..<2000 {
      var text = Self.text
      for _ in 0..<8 {
        guard let place = text.indices.randomElement(using: &generator),
          let letter = alphabet.randomElement(using: &generator)
        else { continue }
        text.replaceSubrange(place...place, with: String(letter))
      }
      if let value = UdevProperties.value(of: "ACCEL_MOUNT_MATRIX", in: text) {
        #expect(!value.contains("\n"), "seed \(seed)")
        let choice = MountMatrixChoice(
          configured: nil, candidates: [.init(source: "udev", isOwn: false, text: { value })])
        #expect(abs(choice.matrix.determinant - 1) <= 0.01, "\(value), seed \(seed)")
      }
    }
  }
}
