/// The rates about x, y and z against the threshold.
enum RateBars {
  /// Three lines, or one that says why there are none.
  static func lines(_ state: WatchState, columns: Int, style: PictureStyle) -> [String] {
    guard state.showsRates else {
      return [
        WatchPicture.cut("rates: not shown to you (root, the control group, or allow_rate = true)", columns)
      ]
    }
    // The sensor is off: an old rate would be a lie.
    let rate = state.event.rate
    return [("x", rate?.x), ("y", rate?.y), ("z", rate?.z)].map { axis, value in
      line(
        axis, value, scale: state.rateScale, threshold: axis == "z" ? nil : state.threshold,
        columns: columns, style: style)
    }
  }

  /// `rate x   ····|██████|········   +0.213 rad/s`: the bar grows from the middle, the threshold is
  /// marked on both sides. Rotation about z moves nothing and has no threshold.
  static func line(
    _ axis: String, _ value: Double?, scale: Double, threshold: Double?, columns: Int, style: PictureStyle
  ) -> String {
    let number = value.map { DecimalText.signed($0, digits: 3, width: 8) } ?? "       -"
    let before = "rate \(axis) "
    let after = " \(number) rad/s"
    let width = columns - before.count - after.count
    guard width >= 9 else { return WatchPicture.cut(before + after, columns) }
    let half = (width - 1) / 2
    let reach = cells(value ?? 0, half, scale)
    let mark = threshold.map { cells($0, half, scale) }
    let ink = Ink(style)
    let over = threshold.map { (value ?? 0).magnitude > $0 } ?? false
    let full = style.hasUnicode ? "█" : "#"
    var bar = ""
    for cell in -half...half {
      if let mark, abs(cell) == mark {
        bar += "|"
      } else if cell != 0, cell.signum() == reach.signum(), abs(cell) <= abs(reach) {
        bar += over ? ink.good(full) : ink.faint(full)
      } else {
        bar += cell == 0 ? "+" : " "
      }
    }
    return before + bar + String(repeating: " ", count: width - 2 * half - 1) + after
  }

  /// How far `value` reaches from the middle, cells, signed.
  private static func cells(_ value: Double, _ half: Int, _ scale: Double) -> Int {
    guard value.isFinite, scale > 0 else { return 0 }
    return Int((min(max(value / scale, -1), 1) * Double(half)).rounded())
  }
}
