import Motion
import Testing

@testable import Plot

struct PictureTests {
  /// A turn to and fro for some seconds, with what there is to be told of it.
  private func record(seconds: Double, scale: Double = 1, gap: Bool = false) -> PlotRecord {
    var record = PlotRecord()
    var offset = Offset.neutral
    for index in 0..<Int(seconds * 100) {
      let isGap = gap && index == Int(seconds * 50)
      let time = Int64(index) * 10_000_000 + (gap && index >= Int(seconds * 50) ? 2_000_000_000 : 0)
      let rate = Double(index % 200 - 100) / 100 * scale
      let bias = Vector3(0.01, -0.02, 0.005)
      record.take(
        at: time, isGap ? .afterGap : .follows, rate: Vector3(rate, -rate / 2, rate / 4), bias: bias)
      offset.x += rate
      offset.y -= rate / 3
      if index % 3 == 0 { record.take(offset, count: 1) }
    }
    return record
  }

  private func facts(_ title: String, limit: Double = .infinity, threshold: Double = 0.1) -> PlotFacts {
    PlotFacts(
      title: title, isSynthetic: true,
      lines: ["plain CSV · a sensor", String(repeating: "motion.threshold = 0.1, ", count: 40)],
      threshold: threshold, limit: limit, outOfOrder: 17, invalid: 4)
  }

  static let sizes = [
    "1600x1000", "480x360", "4096x4096", "480x4096", "4096x360", "900x1400", "1200x750", "640x480",
  ]

  /// Every text is inside of the picture and over no other.
  @Test(arguments: sizes, [1, 1e-7, 12_345, 1e30])
  func textsAreWhole(_ size: String, scale: Double) throws {
    let size = try #require(PictureSize(size))
    let title = String(repeating: "a long name ", count: 30)
    let (canvas, _) = try Picture.drawn(
      record(seconds: 20, scale: scale, gap: true), facts(title, limit: 60 * scale), .png, size)
    let texts = canvas.texts
    #expect(texts.count > 20)
    for (index, one) in texts.enumerated() {
      let box = one.box
      #expect(
        box.left >= 0 && box.top >= 0 && box.right <= Double(size.width) && box.bottom <= Double(size.height),
        "\(one.text)")
      for other in texts[(index + 1)...] {
        let isApart =
          box.right <= other.box.left || other.box.right <= box.left || box.bottom <= other.box.top
          || other.box.bottom <= box.top
        #expect(isApart, "\(one.text) and \(other.text)")
      }
    }
  }

  /// The same, however often; and something else for another title. The number in cairo's name of a surface
  /// counts those of the program, of which the tests have many at once.
  @Test(arguments: PictureFormat.allCases)
  func deterministic(_ format: PictureFormat) throws {
    let record = record(seconds: 3)
    func drawn(_ title: String) throws -> [UInt8] {
      let bytes = try Picture.bytes(of: record, facts(title), format, .standard)
      guard format == .svg else { return bytes }
      return Array(String(decoding: bytes, as: UTF8.self).replacing(/"surface[0-9]+"/, with: "").utf8)
    }
    let (one, other) = (try drawn("a"), try drawn("b"))
    #expect(try drawn("a") == one)
    #expect(other != one)
  }

  /// Bounded by the picture's size, not by the recording's.
  @Test func aLongRecordingIsNoLargerPicture() throws {
    let (short, long) = (record(seconds: 600), record(seconds: 6000))
    let sizes = try [short, long].map { try Picture.bytes(of: $0, facts("a"), .svg, .standard).count }
    #expect(sizes[1] < 2 * sizes[0])
    #expect(sizes[1] < 1_000_000)
  }

  static let names: [(name: String, format: PictureFormat?)] = [
    ("a.svg", .svg), ("a.PNG", .png), ("/tmp/b.c/a.Svg", .svg), ("a", nil), ("a.pdf", nil), (".svg", nil),
    ("/tmp/a.svg/b", nil), ("-", nil), ("", nil), ("a.svg/", nil), ("a.svg ", nil), ("a.svg.gz", nil),
  ]

  @Test(arguments: names.indices)
  func theNameSaysTheFormat(_ index: Int) {
    #expect(PictureFormat(fileName: Self.names[index].name) == Self.names[index].format)
  }

  @Test(arguments: [
    "", "1600", "1600x", "x1000", "1600x1000x2", "1600X1000", "479x1000", "1600x359", "4097x1000",
    "1600x4097",
    "-1600x1000", "+1600x1000", "1e3x1000", "99999999999999999999x1000", " 1600x1000", "١٦٠٠x1000",
  ])
  func sizesThatAreNone(_ text: String) { #expect(PictureSize(text) == nil) }

  static let escapes: [(text: String, escaped: String)] = [
    ("a", "a"), ("<b> & \"c\" 'd'", "&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;"), ("&amp;", "&amp;amp;"),
    ("日本 — ü", "日本 — ü"),
  ]

  @Test(arguments: escapes.indices)
  func textsInXML(_ index: Int) {
    #expect(SVGDocument.escaped(Self.escapes[index].text) == Self.escapes[index].escaped)
  }

  /// What cairo does not write as expected is left alone.
  @Test(arguments: ["", "<svg", "</svg><svg>", "nothing"])
  func oddDocumentsStay(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(SVGDocument.completed(bytes, title: "t", description: "d", texts: []) == bytes)
  }

  static let thin: [(points: [Point], kept: [Point])] = [
    ([], []), ([Point(1, 1)], [Point(0.5, 1), Point(1.5, 1)]),
    ([Point(0, 0), Point(0.1, 0), Point(5, 0)], [Point(0, 0), Point(5, 0)]),
    ([Point(0, 0), Point(3, 4), Point(3.1, 4)], [Point(0, 0), Point(3, 4), Point(3.1, 4)]),
  ]

  @Test(arguments: thin.indices)
  func thinnedLinesKeepTheirEnds(_ index: Int) {
    #expect(Curves.thinned(Self.thin[index].points, by: 0.5) == Self.thin[index].kept)
  }
}
