import Testing

@testable import parallaxctl

struct CanvasTests {
  private func canvas(_ lines: String..., ink: Ink = .plain) -> Canvas {
    var canvas = Canvas(columns: 20, rows: lines.count)
    for (row, line) in lines.enumerated() { canvas.write(line, column: 0, row: row, ink) }
    return canvas
  }

  /// What a terminal shows that had `old` and is sent `output`; colours are left out.
  private func shown(_ output: String, on old: Canvas) -> [String] {
    var cells = (0..<old.rows).map { Array(old.text(row: $0)) }
    var (row, column) = (0, 0)
    var rest = Substring(output)
    while let character = rest.popFirst() {
      guard character == "\u{1b}" else {
        cells[row][column] = character
        column += 1
        continue
      }
      let end = rest.firstIndex { $0.isLetter } ?? rest.endIndex
      let numbers = rest[..<end].dropFirst().split(separator: ";").compactMap { Int($0) }
      switch rest[end] {
      case "H": (row, column) = (numbers[0] - 1, numbers[1] - 1)
      case "J": cells = cells.map { $0.map { _ in " " } }
      default: break
      }
      rest = rest[rest.index(after: end)...]
    }
    return cells.map { String($0) }
  }

  @Test func onlyChangesAreWritten() {
    let old = canvas("x +1.00", "the same")
    let new = canvas("x +2.00", "the same")
    #expect(new.changes(from: old, hasColour: true) == "\u{1b}[1;4H2")
    #expect(new.changes(from: new, hasColour: true) == "")
    #expect(new.changes(from: nil, hasColour: false).hasPrefix("\u{1b}[0m\u{1b}[2J"))
  }

  @Test func aColourIsAChangeAndIsPutBack() {
    let old = canvas("a")
    let new = canvas("a", ink: .good)
    #expect(new.changes(from: old, hasColour: true) == "\u{1b}[1;1H\u{1b}[0;32ma\u{1b}[0m")
    #expect(new.changes(from: old, hasColour: false) == "\u{1b}[1;1Ha")
  }

  /// Any picture over any other: the terminal shows the new one.
  @Test func theTerminalShowsTheNewPicture() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var state = seed
    func random(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    var old = canvas("", "", "")
    for _ in 0..<300 {
      var new = old
      for _ in 0..<random(12) {
        let cell = Cell(character: random(2) == 0 ? "#" : " ", ink: random(2) == 0 ? .good : .plain)
        new[Int(random(20)), Int(random(3))] = cell
      }
      let output = new.changes(from: old, hasColour: random(2) == 0)
      let expected = [new.text(row: 0), new.text(row: 1), new.text(row: 2)]
      #expect(shown(output, on: old) == expected)
      old = new
    }
  }

  @Test func whatIsOutsideIsNotDrawn() {
    var canvas = canvas("")
    canvas.write(String(repeating: "a", count: 50), column: 15, row: 0)
    canvas.write("b", column: 0, row: 7)
    #expect(canvas.text(row: 0) == String(repeating: " ", count: 15) + "aaaaa")
  }
}
