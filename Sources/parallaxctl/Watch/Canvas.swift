/// How a cell of the picture is drawn: its meaning, not its colour.
enum Ink: UInt8, CaseIterable, Sendable {
  case plain, faint, good, alert, dot, trail, stars, mountains, hills, trees

  /// The parameters of SGR (ECMA-48), of the sixteen colours that every terminal has and its owner has chosen.
  var code: String {
    switch self {
    case .plain: "0"
    case .faint: "0;2"
    case .good: "0;32"
    case .alert: "0;1;33"
    case .dot: "0;1;33"
    case .trail: "0;33"
    case .stars: "0;37"
    case .mountains: "0;34"
    case .hills: "0;36"
    case .trees: "0;32"
    }
  }
}

/// A character one column wide and how it is drawn.
struct Cell: Equatable, Sendable {
  var character: Unicode.Scalar = " "
  var ink: Ink = .plain
}

/// A picture of the terminal's size, made cell by cell.
struct Canvas: Equatable, Sendable {
  let columns: Int
  let rows: Int
  /// By rows, from the top left.
  private(set) var cells: [Cell]

  init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    cells = [Cell](repeating: Cell(), count: self.columns * self.rows)
  }

  /// A cell; what is set outside the canvas is not drawn.
  subscript(column: Int, row: Int) -> Cell {
    get { cells[row * columns + column] }
    set {
      guard column >= 0, column < columns, row >= 0, row < rows else { return }
      cells[row * columns + column] = newValue
    }
  }

  /// Writes text from a cell on, cut at the right edge; made of characters one column wide. The column behind
  /// it.
  @discardableResult
  mutating func write(_ text: String, column: Int, row: Int, _ ink: Ink = .plain) -> Int {
    var at = column
    for scalar in text.unicodeScalars {
      self[at, row] = Cell(character: scalar, ink: ink)
      at += 1
    }
    return at
  }

  /// A row without its colours.
  func text(row: Int) -> String {
    var text = String.UnicodeScalarView()
    for cell in cells[row * columns..<(row + 1) * columns] { text.append(cell.character) }
    return String(text)
  }

  /// What makes a terminal that shows `old` show this: only runs of cells that have changed are written.
  ///
  /// - Parameter old: nil, or of another size: everything is written on an empty screen.
  func changes(from old: Canvas?, hasColour: Bool) -> String {
    var output = ""
    var shown = old?.cells ?? []
    if old?.columns != columns || old?.rows != rows {
      output = "\u{1b}[0m\u{1b}[2J"
      shown = [Cell](repeating: Cell(), count: cells.count)
    }
    var ink = Ink.plain
    var at = 0
    while at < cells.count {
      if shown[at] == cells[at] {
        at += 1
        continue
      }
      let rowEnd = (at / columns + 1) * columns
      output += "\u{1b}[\(at / columns + 1);\(at % columns + 1)H"
      var same = 0
      var end = at
      // Over a few cells that are the same it is shorter to go on than to place the cursor again.
      while end + same < rowEnd, same < Self.bridge {
        if shown[end + same] == cells[end + same] {
          same += 1
        } else {
          end += same + 1
          same = 0
        }
      }
      while at < end {
        let cell = cells[at]
        if hasColour, cell.ink != ink {
          ink = cell.ink
          output += "\u{1b}[\(ink.code)m"
        }
        output.unicodeScalars.append(cell.character)
        at += 1
      }
    }
    return ink == .plain ? output : output + "\u{1b}[0m"
  }

  /// Equal cells that are written along rather than jumped over: a cursor's placing takes six bytes and more.
  private static let bridge = 4
}
