import SceneWire
import Testing
import Wire

@testable import parallaxctl

struct PictureTests {
  private static let plain = PictureStyle(hasColour: false, hasUnicode: true)

  private func state(_ x: Double, _ y: Double, rate: MotionEvent.Rate? = nil, backend: String = "iio")
    -> WatchState
  {
    var status = Status(backend: backend)
    status.sensor.name = "bmi160"
    status.settings = [.init(name: "motion.threshold", value: "0.25")]
    var event = MotionEvent()
    event.state = .running
    event.x = x
    event.y = y
    event.rate = rate
    var state = WatchState()
    state.take(status)
    state.showsRates = rate != nil
    state.take(event, now: 0)
    return state
  }

  private func text(_ canvas: Canvas) -> [String] { (0..<canvas.rows).map(canvas.text(row:)) }

  /// Column and row of the dot in a picture.
  private func dot(_ lines: [String]) -> (column: Int, row: Int)? {
    for (row, line) in lines.enumerated() {
      if let column = Array(line).firstIndex(of: "●") { return (column, row) }
    }
    return nil
  }

  private func draw(_ state: inout WatchState, _ columns: Int = 80, _ rows: Int = 24, now: Int64 = 0)
    -> [String]
  {
    text(WatchPicture.draw(&state, columns: columns, rows: rows, style: Self.plain, now: now))
  }

  @Test func theDotGoesWhereTheOffsetGoes() throws {
    var rest = state(0, 0)
    let middle = try #require(dot(draw(&rest)))
    var moved = state(0, 0)
    moved.viewport = rest.viewport
    var event = MotionEvent()
    event.x = 10
    event.y = 3
    moved.take(event, now: 1)
    let there = try #require(dot(draw(&moved)))
    // x to the right; y up, so towards the first line.
    #expect(there.column > middle.column)
    #expect(there.row < middle.row)
  }

  @Test func theFirstUpdateIsNumberZero() {
    var waiting = state(0, 0)
    #expect(draw(&waiting).contains { $0.contains(" points  no update yet") })
    var first = MotionEvent()
    first.sequence = 0
    waiting.take(first, now: 1)
    #expect(draw(&waiting).contains { $0.contains(" points  update 0") })
  }

  @Test(arguments: [0.0, 5, -7, 19, -300, 12_345, 1e8, 1e300, -1e308])
  func theDotIsAlwaysInThePicture(_ offset: Double) {
    var state = state(offset, -offset)
    #expect(dot(draw(&state)) != nil)
  }

  @Test func theWindowStaysWhileTheTrailFits() {
    func window(_ x: Double, _ previous: Viewport?) -> Viewport {
      Viewport.showing([TrailPoint(x: x, y: 4, seenAtNanoseconds: 0)], aspect: 0.5, previous: previous)
    }
    let first = window(0, nil)
    #expect(window(first.halfWidth, first) == first)
    let second = window(90, first)
    #expect(second.halfWidth > 90)
    // Back and forth at its edge it does not jump; close to neutral it comes nearer again.
    #expect(window(49, second) == second)
    #expect(window(2, second) == first)
    let lower = Viewport.showing([], aspect: 0.25, previous: second)
    #expect((lower.halfWidth, lower.halfHeight) == (second.halfWidth, second.halfWidth / 4))
  }

  @Test(arguments: [0.0, 5, -300, 12_345, 1e8])
  func neutralIsAlwaysInTheMiddle(_ offset: Double) throws {
    var state = state(offset + 40, -offset)
    let middle = try #require(draw(&state)[1...].first { $0.contains("+") })
    #expect(Array(middle)[40] == "+" || Array(middle)[39] == "+")
  }

  @Test(arguments: [(0.3, 1.0), (1, 1), (1.5, 2), (2.1, 5), (7, 10), (10, 10), (11, 20), (450, 500)])
  func stepsAreRound(_ value: Double, _ step: Double) { #expect(Viewport.step(notBelow: value) == step) }

  /// Any size: never more lines nor wider ones than there is room for, and never without the mark.
  @Test(arguments: [
    (80, 24), (200, 60), (40, 12), (30, 8), (16, 7), (15, 5), (9, 3), (9, 1), (1, 1), (500, 2),
  ])
  func fitsTheTerminal(_ columns: Int, _ rows: Int) {
    for style in [Self.plain, PictureStyle(hasColour: false, hasUnicode: false)] {
      for rate in [nil, MotionEvent.Rate(x: 0.3, y: -9, z: 0)] {
        var state = state(3, 4, rate: rate, backend: "demo")
        let lines = text(WatchPicture.draw(&state, columns: columns, rows: rows, style: style, now: 0))
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { $0.count == columns })
        if columns >= 9 { #expect(lines.contains { $0.contains("SYNTHETIC") }) }
        if !style.hasUnicode { #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } }) }
      }
    }
  }

  @Test func noRoomNoLines() {
    var state = state(0, 0)
    #expect(draw(&state, 0, 10).joined().isEmpty)
    #expect(draw(&state, 10, 0).isEmpty)
  }

  @Test func coloursOnlyWhereTheyAreWanted() {
    var state = state(3, 4, rate: .init(x: 1, y: 0, z: 0))
    let canvas = WatchPicture.draw(&state, columns: 80, rows: 24, style: Self.plain, now: 0)
    #expect(!canvas.changes(from: nil, hasColour: false).contains("\u{1b}[0;"))
    #expect(canvas.changes(from: nil, hasColour: true).contains("\u{1b}[\(Ink.good.code)m"))
  }

  @Test func aRealSensorIsNotCalledSynthetic() {
    var real = state(0, 0)
    #expect(!draw(&real).joined().contains("SYNTHETIC"))
    #expect(!real.line.contains("SYNTHETIC"))
    #expect(state(0, 0, backend: "demo").line.hasSuffix("SYNTHETIC"))
    #expect(state(0, 0, backend: "demo").headline.contains("SYNTHETIC"))
  }

  @Test func aBarReachesOverTheThresholdWhenTheRateDoes() {
    func bar(_ value: Double?, axis: String = "x") -> String {
      var canvas = Canvas(columns: 60, rows: 1)
      RateBars.draw(
        axis, value, scale: 1, threshold: axis == "z" ? nil : 0.25, on: &canvas, row: 0, Self.plain)
      return canvas.text(row: 0)
    }
    let still = bar(0)
    #expect(still.count == 60)
    #expect(still.filter { $0 == "|" }.count == 2)
    #expect(!still.contains("█"))
    #expect(bar(1).filter { $0 == "█" }.count > bar(0.5).filter { $0 == "█" }.count)
    // To the left of the middle when negative.
    let left = bar(-0.5)
    #expect(left.firstIndex(of: "█").map { left.distance(from: left.startIndex, to: $0) } ?? 99 < 26)
    #expect(bar(nil).contains(" - rad/s"))
    #expect(bar(.infinity).count == 60)
    #expect(bar(0.5, axis: "z").contains("not used") && !bar(0.5, axis: "z").contains("|"))
  }

  @Test(arguments: [
    (80, 0.25, ["-1", "-0.25", "0", "0.25", "1"]), (80, 0.02, ["-1", "|", "0.02", "1"]), (20, 0.25, []),
  ])
  func theBarsHaveAScale(_ columns: Int, _ threshold: Double, _ labels: [String]) {
    let text = RateBars.scale(1, threshold, columns)
    #expect(text.count == (labels.isEmpty ? 0 : columns))
    #expect(text.split(separator: " ").map(String.init) == (labels.isEmpty ? [] : labels + ["rad/s"]))
  }

  /// Numbers that no sensor has take more room than a bar in a narrow terminal.
  @Test(arguments: [(1.234_567_890_123_456_7e305, 0.1), (1, 1.234_567_890_123_456_7e305), (5, 1)])
  func aScaleHasRoomForItsLabelsOrNone(_ scale: Double, _ threshold: Double) {
    for columns in 34...60 {
      let text = RateBars.scale(scale, threshold, columns)
      #expect(text.count == columns && text.hasSuffix("rad/s   "))
    }
  }

  @Test func withoutTheRightThereAreNoBars() {
    var state = state(0, 0)
    #expect(draw(&state).contains { $0.hasPrefix("rates: not shown to you") })
  }

  @Test func theTrailFadesAndIsBounded() {
    var trail = Trail()
    for index in 0..<1000 { trail.append(TrailPoint(x: 0, y: 0, seenAtNanoseconds: Int64(index))) }
    #expect(trail.points.count == Trail.capacity)
    trail.forget(before: Trail.lifetimeNanoseconds * 2)
    #expect(trail.points == [TrailPoint(x: 0, y: 0, seenAtNanoseconds: 999)])
  }

  /// Recentered: no sample has made that jump, and no line is drawn along it.
  @Test func theTrailIsForgottenWhereTheOffsetIsSet() {
    var state = state(30, 4)
    var event = MotionEvent()
    state.take(event, now: 1)
    #expect(state.trail.points.map(\.x) == [0])
    event.sequence = 5
    event.x = 7
    state.take(event, now: 2)
    event.sequence = 6
    event.x = 0
    state.take(event, now: 3)
    #expect(state.trail.points.map(\.x) == [0, 7, 0])
  }

  @Test func onlyABrokenRecordingIsAnEnd() {
    func brokenReplay(_ backend: String, _ state: MotionState, _ reason: StateReason?) -> String? {
      var status = Status(backend: backend)
      status.state = state
      status.reason = reason
      status.text = "why"
      var event = MotionEvent()
      event.state = state
      event.reason = reason
      var watched = WatchState()
      watched.take(status)
      watched.take(event, now: 0)
      return watched.brokenReplay
    }
    #expect(brokenReplay("replay", .waiting, .configuration) == "why")
    #expect(brokenReplay("replay", .running, nil) == nil)
    #expect(brokenReplay("replay", .waiting, .replayEnded) == nil)
    for reason in StateReason.allCases { #expect(brokenReplay("iio", .waiting, reason) == nil) }
  }

  @Test func theSummaryCountsWhatWasSeen() {
    var state = state(0, 0)
    #expect(state.summary == "ended at x +0.00, y +0.00 points, 0 updates")
    var event = MotionEvent()
    event.sequence = 0
    state.take(event, now: 1)
    #expect(state.summary.hasSuffix(" 1 update"))
    event.sequence = 41
    event.x = -3
    event.state = .waiting
    event.reason = .replayEnded
    state.take(event, now: 2)
    #expect(
      state.summary == "the recording has been played: ended at x -3.00, y +0.00 points, 42 updates")
    event.sequence = .min
    state.take(event, now: 3)
    #expect(!state.summary.isEmpty)
  }

  @Test(arguments: [
    ("one two three", 20, 3, ["one two three"]), ("one two three", 8, 3, ["one two", "three"]),
    ("one two three", 7, 1, ["one two"]), ("abcdefgh", 3, 9, ["abc", "def", "gh"]), ("", 5, 2, [""]),
    ("a bcdefgh", 3, 2, ["a", "bcd"]),
  ])
  func longReasonsAreWrapped(_ text: String, _ columns: Int, _ limit: Int, _ lines: [String]) {
    #expect(WatchPicture.wrapped(text, columns, limit: limit) == lines)
  }

  @Test(arguments: [
    (["a 1", "b 22"], 20, 3, ["a 1  b 22"]), (["a 1", "b 22"], 8, 3, ["a 1", "b 22"]),
    (["layer 2 -4.8,+3.5", "front +1.0,-0.7"], 25, 2, ["layer 2 -4.8,+3.5", "front +1.0,-0.7"]),
    (["a 1", "b 2", "c 3", "d 4"], 13, 1, ["a 1  +3 more"]),
    (["a 1", "b 2", "c 3", "d 4"], 8, 2, ["a 1  b 2", "c 3  d 4"]),
    (["a 1", "b 2", "c 3", "d 4", "e 5"], 12, 1, ["a 1  +4 more"]),
    (["longer 123456"], 6, 2, ["longer"]), ([], 6, 2, [""]),
  ])
  func aScenesNumbersAreBrokenBetweenThem(
    _ pieces: [String], _ columns: Int, _ limit: Int, _ lines: [String]
  ) {
    #expect(WatchPicture.laidOut(pieces, columns, limit: limit) == lines)
  }

  @Test func aSceneFitsIntoNinetyColumns() {
    var state = state(0, 0)
    let layers = (0..<6).map { SceneNumbers.Position(x: -4.8 - Double($0), y: 3.5) }
    let scene = SceneNumbers(background: .init(x: -1, y: 0.7), layers: layers, front: .init(x: 1, y: -0.7))
    state.take(state.event, scene, now: 0)
    let canvas = WatchPicture.draw(&state, columns: 90, rows: 24, style: PictureStyle(), now: 0)
    let rows = (0..<canvas.rows).map { row in
      String(String.UnicodeScalarView((0..<canvas.columns).map { canvas[$0, row].character }))
    }
    #expect(rows.contains { $0.contains("front +1.0,-0.7") }, "\(rows)")
    #expect(rows.allSatisfy { !$0.hasSuffix("front") })
  }

  @Test func theDaemonsTextCannotReachTheTerminal() {
    var status = Status(backend: "iio")
    status.sensor.name = "\u{1b}]0;owned\u{7}"
    status.text = "line\nline\u{1b}[2J"
    status.version = "1\u{9b}2J"
    var state = WatchState()
    state.take(status)
    let all = draw(&state).joined() + state.headline + state.line
    #expect(all.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) })
  }

  /// The status is asked for beside the stream and may be of another moment.
  @Test func theDaemonsSentenceIsShownOnlyWithItsState() {
    var status = Status(backend: "iio")
    status.state = .idle
    status.text = "nobody looks"
    var state = WatchState()
    state.take(status)
    #expect(state.stateText == "idle")
    var event = MotionEvent()
    event.state = .waiting
    event.reason = .noDevice
    state.take(event, now: 0)
    #expect(state.stateText.hasPrefix("waiting (no-device): no gyroscope"))
    status.state = .waiting
    status.reason = .noDevice
    status.text = "plug one in"
    state.take(status)
    #expect(state.stateText == "waiting (no-device): plug one in")
  }

  @Test func missedUpdatesAreSaid() {
    var state = state(0, 0)
    var event = MotionEvent()
    event.dropped = 7
    state.take(event, now: 1)
    #expect(state.line.contains("missed 7"))
    for hostile in [Int64.max, .min, -1] {
      event.dropped = hostile
      state.take(event, now: 1)
      #expect(state.droppedCount >= 7)
    }
  }

  @Test(arguments: [
    (["LANG": "de_DE.UTF-8"], true, true), (["LANG": "C"], true, false), ([:], true, false),
    (["LANG": "C", "LC_ALL": "C.utf8"], true, true), (["LC_ALL": "C", "LANG": "C.UTF-8"], true, false),
    (["LC_ALL": "", "LANG": "C.UTF-8", "NO_COLOR": "1"], false, true), (["NO_COLOR": ""], true, false),
  ])
  func theEnvironmentSaysHowToDraw(_ environment: [String: String], _ colour: Bool, _ unicode: Bool) {
    #expect(Screen.style { environment[$0] } == PictureStyle(hasColour: colour, hasUnicode: unicode))
  }

  /// A scene's parts move the landscape instead of the offset, and are told in words.
  @Test func aSceneMovesTheLandscape() {
    func picture(_ scene: SceneNumbers?, x: Double = 0) -> [String] {
      var state = state(x, 0)
      state.take(state.event, scene, now: 0)
      return draw(&state)
    }
    let rest = SceneNumbers(background: .init(x: 0, y: 0), layers: [.init(x: 0, y: 0)])
    var moved = rest
    moved.layers?[0].x = 15
    moved.background?.y = -4.25
    moved.values = ["shadow": 0.5]
    let (before, after) = (picture(rest), picture(moved))
    // Layer 0 to the right of neutral, the background above it.
    func place(_ letter: Character, _ lines: [String]) -> (column: Int, row: Int)? {
      for (row, line) in lines[2..<17].enumerated() {
        if let column = Array(line).firstIndex(of: letter) { return (column, row) }
      }
      return nil
    }
    #expect(place("0", after).map { $0.column > 40 } == true)
    #expect(place("B", after).map { $0.column == 40 && $0.row < 7 } == true, "\(after)")
    #expect(
      after.contains { $0.hasPrefix("background +0.0,-4.3  layer 0 +15.0,+0.0  shadow 0.50") }, "\(after)")
    #expect(Array(before[2..<18]) != Array(after[2..<18]))
    #expect(picture(nil).contains { $0.contains("background") } == false)
  }

  @Test func theNearestAndTheFarthestPartAreTheLandscapesEnds() {
    let layers = (1...6).map { SceneNumbers.Position(x: Double($0), y: 0) }
    #expect(SceneNumbers(layers: layers).depths.map(\.x) == [1, 2, 4, 6])
    #expect(SceneNumbers(layers: [layers[0]], front: .init(x: -1, y: 0)).depths.map(\.x) == [1, 1, 1, -1])
    #expect(SceneNumbers().depths.map(\.x) == [0, 0, 0, 0])
  }
}
