extension Matrix3 {
  /// A: the axes that three letters name, as in a .gcsv's `orientation`: letter n is the input axis of
  /// output n, a capital its positive direction, lower case its negative (`yXz` → (−y, x, −z)).
  ///
  /// - Returns: nil unless each of x, y and z is named exactly once.
  package init?(axisLetters letters: some StringProtocol) {
    var rows = [Vector3]()
    var named: Set<UInt8> = []
    for letter in letters.utf8 {
      let isNegative = letter & 0x20 != 0
      let one: Double = isNegative ? -1 : 1
      switch letter & ~0x20 {
      case UInt8(ascii: "X"): rows.append(Vector3(one, 0, 0))
      case UInt8(ascii: "Y"): rows.append(Vector3(0, one, 0))
      case UInt8(ascii: "Z"): rows.append(Vector3(0, 0, one))
      default: return nil
      }
      guard named.insert(letter & ~0x20).inserted else { return nil }
    }
    guard rows.count == 3 else { return nil }
    self.init(rows: rows[0], rows[1], rows[2])
  }

  /// R: from the device frame to the picture's, which is turned counter-clockwise on the panel by 0, 90,
  /// 180 or 270 degrees. Any other number is no rotation; where settings are read it is refused.
  package init(screenRotation degrees: Int) {
    switch degrees {
    case 90: self.init(rows: Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
    case 180: self.init(rows: Vector3(-1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0, 1))
    case 270: self.init(rows: Vector3(0, -1, 0), Vector3(1, 0, 0), Vector3(0, 0, 1))
    default: self = .identity
    }
  }
}
