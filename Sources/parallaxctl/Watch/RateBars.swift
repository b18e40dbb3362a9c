/// The rates about x, y and z against the threshold.
enum RateBars {
  /// Before a bar: `rate x `.
  private static let labelWidth = 7
  /// Behind a bar: ` +0.213 rad/s`, ` +0.213 not used`.
  private static let numberWidth = 18
  /// The narrowest bar, cells.
  private static let smallest = 9

  /// How many rows they take: one that says why there are none, or three, and in a high picture a fourth with
  /// the scale.
  static func rows(_ state: WatchState, canvasRows: Int) -> Int {
    state.showsRates ? (canvasRows >= 18 ? 4 : 3) : 1
  }

  /// Draws as many rows as `rows(_:canvasRows:)` said.
  static func draw(_ state: WatchState, on canvas: inout Canvas, top: Int, rows: Int, style: PictureStyle) {
    guard state.showsRates else {
      canvas.write(
        "rates: not shown to you (root, the control group, or allow_rate = true)", column: 0, row: top)
      return
    }
    // The sensor is off: an old rate would be a lie.
    let rate = state.event.rate
    let values = [rate?.x, rate?.y, rate?.z]
    for (index, axis) in ["x", "y", "z"].enumerated() {
      // Rotation about z moves nothing: it has no threshold.
      let threshold = axis == "z" ? nil : state.threshold
      draw(
        axis, values[index], scale: state.rateScale, threshold: threshold, on: &canvas, row: top + index,
        style)
    }
    if rows > 3 {
      canvas.write(scale(state.rateScale, state.threshold, canvas.columns), column: 0, row: top + 3, .faint)
    }
  }

  /// `rate x   ····|██████|········   +0.213 rad/s`: the bar grows from the middle, the threshold is
  /// marked on both sides.
  static func draw(
    _ axis: String, _ value: Double?, scale: Double, threshold: Double?, on canvas: inout Canvas, row: Int,
    _ style: PictureStyle
  ) {
    let number = value.map { DecimalText.signed($0, digits: 3, width: 8) } ?? "       -"
    let isUsed = threshold != nil
    let after = " \(number) \(isUsed ? "rad/s" : "not used")"
    canvas.write("rate \(axis) ", column: 0, row: row, isUsed ? .plain : .faint)
    let width = canvas.columns - labelWidth - numberWidth
    guard width >= smallest else {
      canvas.write(after, column: labelWidth, row: row, isUsed ? .plain : .faint)
      return
    }
    let half = (width - 1) / 2
    let middle = labelWidth + half
    let reach = cells(value ?? 0, half, scale)
    let over = threshold.map { (value ?? 0).magnitude > $0 } ?? false
    let full: Unicode.Scalar = style.hasUnicode ? "█" : "#"
    if reach != 0 {
      for cell in min(reach, reach.signum())...max(reach, reach.signum()) {
        canvas[middle + cell, row] = Cell(character: full, ink: over ? .good : .faint)
      }
    }
    canvas[middle, row] = Cell(character: "+", ink: .faint)
    if let mark = threshold.map({ cells($0, half, scale) }), mark > 0 {
      for cell in [-mark, mark] { canvas[middle + cell, row] = Cell(character: "|") }
    }
    canvas.write(after, column: canvas.columns - numberWidth, row: row, isUsed ? .plain : .faint)
  }

  /// What the ends, the thresholds and the middle of the bars stand for, where there is room.
  static func scale(_ scale: Double, _ threshold: Double, _ columns: Int) -> String {
    let width = columns - labelWidth - numberWidth
    guard width >= smallest else { return "" }
    let half = (width - 1) / 2
    let mark = cells(threshold, half, scale)
    var line = [Character](repeating: " ", count: columns)
    func put(_ text: String, around cell: Int) {
      // What a hostile daemon says may be longer than a narrow terminal's bar.
      guard text.count <= width else { return }
      let start = min(
        max(labelWidth + half + cell - text.count / 2, labelWidth), labelWidth + width - text.count)
      let wanted = max(start - 1, 0)..<min(start + text.count + 1, columns)
      guard line[wanted].allSatisfy({ $0 == " " }) else { return }
      line.replaceSubrange(start..<start + text.count, with: text)
    }
    put("-\(DecimalText.brief(scale, digits: 3))", around: -half)
    put(DecimalText.brief(scale, digits: 3), around: half)
    let limit = DecimalText.brief(threshold, digits: 3)
    if 2 * mark > limit.count + 2 {
      put("-\(limit)", around: -mark)
      put(limit, around: mark)
      put("0", around: 0)
    } else if mark > 0 {
      // The marks are too near to each other for two labels.
      put("| \(limit)", around: 0)
    }
    line.replaceSubrange(columns - 8..<columns - 3, with: "rad/s")
    return String(line)
  }

  /// How far `value` reaches from the middle, cells, signed.
  private static func cells(_ value: Double, _ half: Int, _ scale: Double) -> Int {
    guard value.isFinite, scale > 0 else { return 0 }
    return Int((min(max(value / scale, -1), 1) * Double(half)).rounded())
  }
}
