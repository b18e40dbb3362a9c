/// How the terminal can be drawn on.
struct PictureStyle: Equatable, Sendable {
  /// Whether colours are wanted (NO_COLOR is not set).
  var hasColour = true
  /// Whether the locale is UTF-8; else ASCII only.
  var hasUnicode = true
}

/// Draws a `WatchState`: pure, from a state to lines of text.
enum WatchPicture {
  /// The smallest picture with a plane in it, cells.
  private static let smallestColumns = 16
  private static let smallestRows = 4

  /// The lines of the picture from the top: at most `rows`, each at most `columns` wide (escape sequences
  /// for colour not counted).
  ///
  /// - Parameters:
  ///   - state: its window is moved after the dot.
  ///   - now: CLOCK_MONOTONIC, nanoseconds; the trail fades by it.
  static func lines(
    _ state: inout WatchState, columns: Int, rows: Int, style: PictureStyle, now: Int64
  ) -> [String] {
    guard columns > 0, rows > 0 else { return [] }
    let ink = Ink(style)
    var top = [header(state, columns, ink)]
    var bottom = [offsetLine(state, columns), stateLine(state, columns, ink)]
    if rows >= 12 {
      bottom.insert(contentsOf: RateBars.lines(state, columns: columns, style: style), at: 1)
      bottom.append(ink.faint(cut("q or Ctrl-C quits", columns)))
    }
    let planeRows = rows - top.count - bottom.count
    guard planeRows >= smallestRows, columns >= smallestColumns else {
      // Too small for a picture: what matters most comes first.
      let mark = state.isSynthetic ? "SYNTHETIC " : ""
      let state = stateLine(state, columns, ink)
      return Array([cut(mark + bottom[0], columns), state, top[0]].prefix(rows))
    }
    top += plane(&state, columns: columns, rows: planeRows, style: style, now: now)
    return top + bottom
  }

  private static func header(_ state: WatchState, _ columns: Int, _ ink: Ink) -> String {
    let name = "parallaxd \(state.daemonVersion)"
    guard state.isSynthetic else { return cut("\(name)  \(state.sensorName)", columns) }
    let mark = "SYNTHETIC demonstration"
    // The mark is never what is cut off.
    guard columns > mark.count + 2 else { return ink.alert(cut(mark, columns)) }
    return ink.alert(mark) + "  " + cut(name, columns - mark.count - 2)
  }

  private static func offsetLine(_ state: WatchState, _ columns: Int) -> String {
    let event = state.event
    var line = "x \(DecimalText.signed(event.x, digits: 2, width: 9))"
    line += "  y \(DecimalText.signed(event.y, digits: 2, width: 9)) points"
    line += "  update \(event.sequence)"
    if state.droppedCount > 0 { line += "  missed \(state.droppedCount)" }
    return cut(line, columns)
  }

  private static func stateLine(_ state: WatchState, _ columns: Int, _ ink: Ink) -> String {
    let line = cut(state.stateText, columns)
    switch state.event.state {
    case .running: return ink.good(line)
    case .waiting, .stalled: return ink.alert(line)
    case .idle, .starting, .reduced: return line
    }
  }

  /// `text` cut to `columns`; made of characters one column wide.
  static func cut(_ text: String, _ columns: Int) -> String { String(text.prefix(columns)) }
}

/// Escape sequences for what stands out; nothing where colours are not wanted.
struct Ink {
  private let hasColour: Bool

  init(_ style: PictureStyle) { hasColour = style.hasColour }

  func good(_ text: String) -> String { wrap(text, "32") }
  func alert(_ text: String) -> String { wrap(text, "1;33") }
  func faint(_ text: String) -> String { wrap(text, "2") }
  func strong(_ text: String) -> String { wrap(text, "1;36") }

  private func wrap(_ text: String, _ code: String) -> String {
    hasColour && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
