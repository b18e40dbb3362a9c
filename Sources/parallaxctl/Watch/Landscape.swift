/// What is seen behind the dot: stars, mountains, hills and trees at four depths, moved by the offset as content
/// is: what is near moves with it, what is far by a fraction, so that the eye sees depth.
///
/// A pure function of place and offset. It has no end to the left and to the right. Lengths are in units of
/// half a column, which is about a quarter of a row: a dot of a Braille character.
struct Landscape: Sendable {
  enum Layer: UInt8, CaseIterable, Sendable {
    case stars, mountains, hills, trees

    /// By how much less than the nearest it moves.
    fileprivate var depth: Double {
      switch self {
      case .trees: 1
      case .hills: 2
      case .mountains: 4
      case .stars: 8
      }
    }
  }

  /// Points that move the nearest layer by one unit.
  static let pointsPerUnit = 1.5

  private let width: Int
  private let height: Int
  private let stars: [Bool]
  /// Of each layer, units to the right and down.
  private let shifts: [(x: Int, y: Int)]
  /// For each unit from left to right, the first unit from the top that mountains, hills and trees cover.
  private let tops: [[Int]]
  /// For each unit from left to right, where the trees stand.
  private let ground: [Int]

  /// Where the layers are at an offset (points, y up), from far to near, points, y down.
  static func depths(x: Double, y: Double) -> [(x: Double, y: Double)] {
    Layer.allCases.map { (x: x / $0.depth, y: -y / $0.depth) }
  }

  /// - Parameters:
  ///   - width, height: of the picture, units.
  ///   - x, y: the offset, points; y up.
  init(width: Int, height: Int, x: Double, y: Double) {
    self.init(width: width, height: height, depths: Self.depths(x: x, y: y))
  }

  /// - Parameter depths: where stars, mountains, hills and trees are, points, y down.
  init(width: Int, height: Int, depths: [(x: Double, y: Double)]) {
    self.width = width
    self.height = height
    let shifts = zip(Layer.allCases, depths).map { layer, place in
      (
        x: Self.whole(place.x / Self.pointsPerUnit),
        // The ground never leaves the picture: the further up or down, the smaller the step.
        y: Self.whole(Self.squeezed(place.y / Self.pointsPerUnit, limit: Double(height) / 3 / layer.depth))
      )
    }
    self.shifts = shifts
    stars = Self.stars(width, height, shifts[Int(Layer.stars.rawValue)])
    tops = Layer.allCases.map { layer in
      guard layer != .stars else { return [] }
      let shift = shifts[Int(layer.rawValue)]
      return (0..<width).map { shift.y + Self.top(layer, $0 - shift.x, height) }
    }
    let near = shifts[Int(Layer.trees.rawValue)]
    ground = (0..<width).map { near.y + Self.whole(Self.groundHeight($0 - near.x, height)) }
  }

  /// What is seen at a place, and whether it is lit there: the nearest layer that covers it.
  func look(_ x: Int, _ y: Int) -> (layer: Layer, isLit: Bool) {
    if y >= tops[3][x] { return (.trees, isLit(.trees, x, y, below: y - tops[3][x])) }
    if y >= tops[2][x] { return (.hills, isLit(.hills, x, y, below: y - tops[2][x])) }
    if y >= tops[1][x] { return (.mountains, y == tops[1][x]) }
    return (.stars, stars[y * width + x])
  }

  /// In each square of 11 units one star at most: where they are in the picture, by rows.
  private static func stars(_ width: Int, _ height: Int, _ shift: (x: Int, y: Int)) -> [Bool] {
    var stars = [Bool](repeating: false, count: max(0, width * height))
    guard !stars.isEmpty else { return stars }
    for down in (-shift.y).quotientRounded(by: 11)...(height - shift.y).quotientRounded(by: 11) {
      for across in (-shift.x).quotientRounded(by: 11)...(width - shift.x).quotientRounded(by: 11) {
        let bits = random(across, down, 5)
        let x = across * 11 + Int(bits % 11) + shift.x
        let y = down * 11 + Int((bits >> 8) % 11) + shift.y
        if bits >> 16 & 3 != 0, x >= 0, x < width, y >= 0, y < height { stars[y * width + x] = true }
      }
    }
    return stars
  }

  /// The texture, which moves with its layer: denser the nearer.
  private func isLit(_ layer: Layer, _ x: Int, _ y: Int, below: Int) -> Bool {
    let shift = shifts[Int(layer.rawValue)]
    let (u, v) = (x - shift.x, y - shift.y)
    switch layer {
    case .stars: return false
    // An outline, so that the dot stands out in the middle of the picture.
    case .mountains: return below == 0
    case .hills: return below <= 1 || Self.random(u, v, 6) & 7 == 0
    // The trees are solid, the ground below the grass is not.
    case .trees: return y <= ground[x] + 1 || (u &+ v) & 1 == 0
    }
  }

  /// The unit where a layer begins at `u`, from the top of a picture `height` high.
  private static func top(_ layer: Layer, _ u: Int, _ height: Int) -> Int {
    let full = Double(height)
    switch layer {
    case .stars: return height
    case .mountains: return whole(full * (0.58 - 0.26 * noise(u, every: 22, stream: 1, isSmooth: false)))
    case .hills: return whole(full * (0.80 - 0.20 * noise(u, every: 30, stream: 2, isSmooth: true)))
    case .trees: return whole(groundHeight(u, height) - tree(u, height))
    }
  }

  private static func groundHeight(_ u: Int, _ height: Int) -> Double {
    Double(height) * (0.97 - 0.05 * noise(u, every: 40, stream: 3, isSmooth: true))
  }

  /// How high above the ground the trees reach: in each stretch of 14 units none or one.
  private static func tree(_ u: Int, _ height: Int) -> Double {
    let stretch = u.quotientRounded(by: 14)
    let bits = random(stretch, 0, 4)
    guard bits % 5 > 1 else { return 0 }
    let size = Double(height) * (0.12 + 0.20 * Double(bits >> 8 & 0xff) / 255)
    let middle = stretch * 14 + 3 + Int(bits >> 16 & 0x7)
    let aside = Double((u - middle).magnitude)
    // A fir: narrow, with a pointed top.
    let reach = min(6, max(2, size / 3))
    return aside > reach ? 0 : size * (1 - aside / (reach + 1))
  }

  /// Heights 0…1, random every so many units, and between them straight or rounded.
  private static func noise(_ u: Int, every spacing: Int, stream: UInt64, isSmooth: Bool) -> Double {
    let index = u.quotientRounded(by: spacing)
    let share = Double(u - index * spacing) / Double(spacing)
    let weight = isSmooth ? share * share * (3 - 2 * share) : share
    func value(_ index: Int) -> Double { Double(random(index, 0, stream) & 0xffff) / 0xffff }
    return value(index) + (value(index + 1) - value(index)) * weight
  }

  /// Below `limit` whatever the value; straight through 0.
  private static func squeezed(_ value: Double, limit: Double) -> Double {
    guard value.isFinite, limit > 0 else { return 0 }
    return value / (1 + value.magnitude / limit)
  }

  /// Rounded; a hostile offset stays within what adds up without overflow.
  private static func whole(_ value: Double) -> Int {
    value.isFinite ? Int(min(max(value, -1e12), 1e12).rounded()) : 0
  }

  /// 64 random bits for a place: the output function of SplitMix64 (Steele, Lea & Flood 2014).
  private static func random(_ x: Int, _ y: Int, _ stream: UInt64) -> UInt64 {
    var z = UInt64(bitPattern: Int64(x)) &* 0x9e37_79b9_7f4a_7c15
    z &+= UInt64(bitPattern: Int64(y)) &* 0xc2b2_ae3d_27d4_eb4f &+ stream &* 0x1656_67b1_9e37_79f9
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}

extension Int {
  /// The quotient rounded down, also of what is negative.
  fileprivate func quotientRounded(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
