import CCairo

/// How a text is set.
struct TextStyle: Equatable, Sendable {
  /// Pixels of the standard size.
  var size = 16.0
  var isBold = false
  var colour = Colour.text

  static let label = TextStyle(size: 15, colour: .quiet)
  static let legend = TextStyle(size: 15)
  static let heading = TextStyle(size: 18, isBold: true)
  static let title = TextStyle(size: 26, isBold: true)
  static let facts = TextStyle(size: 16, colour: .quiet)
}

/// A text in the picture.
struct PlacedText: Equatable, Sendable {
  let text: String
  /// All that it takes, with room for the longest letters.
  let box: Box
  let style: TextStyle
  /// Whether it runs upwards.
  let isUpright: Bool
}

extension Canvas {
  /// Which end of a text is given.
  enum Alignment { case start, middle, end }

  /// The same in an SVG and on pixels, on every screen: no hinting, no colours at the edges.
  func setFontOptions() {
    let options = cairo_font_options_create()
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
  }

  /// Pixels from one line of text to the next.
  func lineHeight(_ style: TextStyle) -> Double { (style.size * 1.4 * scale).rounded() }

  /// Pixels.
  func width(of text: String, _ style: TextStyle) -> Double {
    select(style)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, text, &extents)
    return extents.x_advance
  }

  /// The text, or its beginning with `…`, in at most `width` pixels.
  func fitted(_ text: String, _ style: TextStyle, in width: Double) -> String {
    if self.width(of: text, style) <= width { return text }
    // The width grows with the letters: the longest beginning that fits is found by halves.
    let letters = Array(text)
    var (fits, tooMany) = (0, letters.count)
    while tooMany - fits > 1 {
      let count = (fits + tooMany) / 2
      if self.width(of: String(letters[..<count]) + "…", style) <= width {
        fits = count
      } else {
        tooMany = count
      }
    }
    return fits > 0 ? String(letters[..<fits]) + "…" : ""
  }

  /// Writes a line.
  ///
  /// - Parameter place: at the text's start, middle or end, at the middle of its height.
  mutating func write(
    _ text: String, _ style: TextStyle, at place: Point, _ alignment: Alignment = .start,
    upright: Bool = false
  ) {
    guard !text.isEmpty else { return }
    let length = width(of: text, style)
    let shift = alignment == .start ? 0 : alignment == .middle ? length / 2 : length
    // From the middle of a line's height down to its baseline.
    let drop = style.size * 0.36 * scale
    set(style.colour)
    if upright {
      cairo_save(context)
      cairo_move_to(context, place.x + drop, place.y + shift)
      cairo_rotate(context, -Double.pi / 2)
      cairo_show_text(context, text)
      cairo_restore(context)
    } else {
      cairo_move_to(context, place.x - shift, place.y + drop)
      cairo_show_text(context, text)
    }
    cairo_new_path(context)
    let half = style.size * 0.6 * scale
    let box =
      upright
      ? Box(place.x - half, place.y + shift - length, place.x + half, place.y + shift)
      : Box(place.x - shift, place.y - half, place.x - shift + length, place.y + half)
    texts.append(PlacedText(text: text, box: box, style: style, isUpright: upright))
  }

  private func select(_ style: TextStyle) {
    // Debian's cairo brings it along; where it is not, fontconfig takes another.
    cairo_select_font_face(
      context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
      style.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(context, style.size * scale)
  }
}
