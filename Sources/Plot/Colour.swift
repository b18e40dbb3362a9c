/// Colours that differ for everybody, also in print on white paper.
struct Colour: Equatable, Sendable {
  /// 0 to 255.
  let red: UInt8
  let green: UInt8
  let blue: UInt8
  /// 0 to 1.
  var opacity = 1.0

  init(_ rgb: UInt32, opacity: Double = 1) {
    red = UInt8(rgb >> 16 & 0xff)
    green = UInt8(rgb >> 8 & 0xff)
    blue = UInt8(rgb & 0xff)
    self.opacity = opacity
  }

  private init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  // Of Okabe and Ito, "Color Universal Design" (2008): for what is about x, y and z.
  static let x = Colour(0xd55e00)
  static let y = Colour(0x0072b2)
  static let z = Colour(0x009e73)

  static let paper = Colour(0xffffff)
  static let text = Colour(0x1f2933)
  static let quiet = Colour(0x52606d)
  static let frame = Colour(0x9aa5b1)
  static let grid = Colour(0xe4e7eb)
  static let zero = Colour(0xb8c0ca)
  static let threshold = Colour(0xf0e442, opacity: 0.35)
  static let thresholdEdge = Colour(0xb8a900)
  static let gap = Colour(0x7b8794, opacity: 0.22)
  static let gapEdge = Colour(0x616e7c)
  static let update = Colour(0x3e4c59)
  static let limit = Colour(0xa8326b)
  static let alert = Colour(0xb42318)

  /// The path's, from its start (0) to its end (1): stops of viridis (Smith and van der Walt 2015), without the light
  /// end, which is lost on white.
  static func along(_ share: Double) -> Colour {
    let stops: [(Double, Double, Double)] = [
      (68, 1, 84), (71, 45, 123), (59, 82, 139), (44, 114, 142), (33, 145, 140), (40, 174, 128),
      (94, 201, 98),
    ]
    let place = min(max(share, 0), 1) * Double(stops.count - 1)
    let index = min(Int(place), stops.count - 2)
    let rest = place - Double(index)
    func mixed(_ one: Double, _ other: Double) -> UInt8 { UInt8((one + rest * (other - one)).rounded()) }
    let (one, other) = (stops[index], stops[index + 1])
    return Colour(red: mixed(one.0, other.0), green: mixed(one.1, other.1), blue: mixed(one.2, other.2))
  }
}
