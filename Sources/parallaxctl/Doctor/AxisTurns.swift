import Motion

/// From three turns of the device to the letters of `axes`: pure.
///
/// A turn by the right-hand rule about x, y or z of the device (x to the right of the screen, y to its top, z
/// out of it towards the viewer) must come out as a positive rotation about that axis. What the sensor showed,
/// in its frame after the mount matrix and before `axes`, says which of its axes that is, and its sign.
struct AxisTurns {
  /// What a turn has to be, rad, and how much of it may be about another axis.
  static let leastAngle = 0.2
  static let largestShare = 0.6

  static let names = ["x", "y", "z"]

  /// What a person is asked to do, in this order.
  ///
  /// About x the fingers of the right hand go from y to z: the top edge comes towards the viewer. About y, from z
  /// to x: the screen turns to the right, so its right edge goes away. About z, from x to y: counter-clockwise.
  static let requests = [
    "tip its top edge towards you",
    "turn its right edge away from you",
    "turn it counter-clockwise, as seen by you, like a picture on the wall",
  ]

  private(set) var letters: [Character] = []

  /// The turn that is next: 0, 1, 2.
  var next: Int { letters.count }

  /// The letters, when there are three.
  var axes: String? { letters.count == 3 ? String(letters) : nil }

  /// Whether they make a mirror image, which is right only where the driver mirrors an axis.
  var isMirrored: Bool { Matrix3(axisLetters: axes ?? "XYZ")?.determinant ?? 1 < 0 }

  /// Takes the angles that the next turn came to, rad about the sensor's axes.
  ///
  /// - Returns: why it is of no use; nil where it was taken.
  mutating func take(_ angle: Vector3) -> String? {
    let parts = [angle.x, angle.y, angle.z]
    let order = [0, 1, 2].sorted { parts[$0].magnitude > parts[$1].magnitude }
    let (largest, second) = (parts[order[0]], parts[order[1]])
    guard largest.magnitude >= Self.leastAngle, largest.isFinite else {
      return "that was too little: \(degrees(largest)) degrees; turn it by about 45"
    }
    guard second.magnitude <= Self.largestShare * largest.magnitude else {
      return
        "that was about two axes at once: \(parts.map(degrees).joined(separator: ", ")) degrees about the "
        + "sensor's x, y and z"
    }
    let letter: Character = largest < 0 ? ["x", "y", "z"][order[0]] : ["X", "Y", "Z"][order[0]]
    if let twin = letters.firstIndex(where: { $0.lowercased() == letter.lowercased() }) {
      return "that was about the same axis of the sensor as the turn about \(Self.names[twin]) before"
    }
    letters.append(letter)
    return nil
  }

  private func degrees(_ radians: Double) -> String { DecimalText.fixed(radians * 180 / .pi, digits: 0) }
}

/// The angle of a turn: rates by the trapezoidal rule, over events of one stream.
struct TurnAngle {
  private(set) var angle = Vector3.zero
  private var last: (time: Int64, rate: Vector3)?
  /// What the device shows at rest.
  private let rest: Vector3

  /// Seconds between two events that still belong together.
  private static let longestStep = 0.5

  init(rest: Vector3) { self.rest = rest }

  mutating func add(_ rate: Vector3, at time: Int64, isGap: Bool) {
    let now = Vector3(rate.x - rest.x, rate.y - rest.y, rate.z - rest.z)
    defer { last = (time, now) }
    guard let last, !isGap else { return }
    let (difference, overflow) = time.subtractingReportingOverflow(last.time)
    let seconds = Double(difference) / 1e9
    guard !overflow, seconds > 0, seconds <= Self.longestStep else { return }
    angle.x += seconds * (last.rate.x + now.x) / 2
    angle.y += seconds * (last.rate.y + now.y) / 2
    angle.z += seconds * (last.rate.z + now.z) / 2
  }
}
