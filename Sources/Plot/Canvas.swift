import CCairo

/// What a picture is drawn on: lines and areas in pixels, y down. Texts are in `Canvas+Text.swift`.
struct Canvas {
  let size: PictureSize
  /// How large everything is that does not follow from the numbers: 1 in a picture of the standard size.
  let scale: Double
  private let surface: Surface
  var context: OpaquePointer { surface.context }
  /// What was written where.
  var texts: [PlacedText] = []

  init(_ format: PictureFormat, _ size: PictureSize) throws(PlotError) {
    self.size = size
    surface = try Surface(format, size)
    scale = Self.scale(width: Double(size.width), height: Double(size.height))
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
    setFontOptions()
    fill(Box(0, 0, Double(size.width), Double(size.height)), .paper)
  }

  /// By the area, where a small picture has larger letters than a large one that is made smaller; less in pictures
  /// that are narrow or low.
  private static func scale(width: Double, height: Double) -> Double {
    let standard = Double(PictureSize.standard.width * PictureSize.standard.height)
    let share = (width * height / standard).squareRoot()
    return min(max(0.6, min(share < 1 ? share.squareRoot() : share, width / 1000, height / 600)), 3)
  }

  /// All of the picture as a file has it, but for what `SVGDocument` adds.
  func finish() throws(PlotError) -> [UInt8] { try surface.finish() }

  func fill(_ box: Box, _ colour: Colour) {
    set(colour)
    cairo_rectangle(
      context, Self.snapped(box.left), Self.snapped(box.top),
      Self.snapped(box.right) - Self.snapped(box.left),
      Self.snapped(box.bottom) - Self.snapped(box.top))
    cairo_fill(context)
  }

  func stroke(_ box: Box, _ colour: Colour, width: Double, dash: [Double] = []) {
    let corners = [
      Point(box.left, box.top), Point(box.right, box.top), Point(box.right, box.bottom),
      Point(box.left, box.bottom), Point(box.left, box.top),
    ]
    stroke([corners], colour, width: width, dash: dash)
  }

  /// One or more lines through points, as one path.
  ///
  /// - Parameters:
  ///   - width: in pixels of the standard size.
  ///   - dash: lengths of lines and spaces, likewise.
  func stroke(_ lines: [[Point]], _ colour: Colour, width: Double, dash: [Double] = []) {
    set(colour)
    cairo_set_line_width(context, width * scale)
    cairo_set_dash(context, dash.map { $0 * scale }, Int32(dash.count), 0)
    for line in lines {
      guard let first = line.first else { continue }
      cairo_move_to(context, Self.snapped(first.x), Self.snapped(first.y))
      for point in line.dropFirst() {
        cairo_line_to(context, Self.snapped(point.x), Self.snapped(point.y))
      }
    }
    cairo_stroke(context)
  }

  func ring(_ middle: Point, radius: Double, _ colour: Colour) {
    set(colour)
    cairo_set_line_width(context, 2.5 * scale)
    cairo_set_dash(context, nil, 0, 0)
    cairo_new_sub_path(context)
    cairo_arc(context, Self.snapped(middle.x), Self.snapped(middle.y), radius * scale, 0, 2 * Double.pi)
    cairo_stroke(context)
  }

  func square(_ middle: Point, radius: Double, _ colour: Colour) {
    let half = radius * scale
    fill(Box(middle.x - half, middle.y - half, middle.x + half, middle.y + half), colour)
  }

  func cross(_ middle: Point, radius: Double, _ colour: Colour) {
    let half = radius * scale
    stroke(
      [
        [Point(middle.x - half, middle.y), Point(middle.x + half, middle.y)],
        [Point(middle.x, middle.y - half), Point(middle.x, middle.y + half)],
      ], colour, width: 1.5)
  }

  func set(_ colour: Colour) {
    cairo_set_source_rgba(
      context, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255, colour.opacity
    )
  }

  /// An eighth of a pixel is fine enough, and short in an SVG.
  static func snapped(_ pixels: Double) -> Double { (pixels * 8).rounded() / 8 }
}
