import CCairo

/// A cairo surface with its context, drawn in memory.
final class Surface {
  let context: OpaquePointer
  private let surface: OpaquePointer
  private let format: PictureFormat
  private let sink: Sink

  /// Takes what cairo writes.
  private final class Sink {
    var bytes: [UInt8] = []
  }

  init(_ format: PictureFormat, _ size: PictureSize) throws(PlotError) {
    self.format = format
    let sink = Sink()
    let made: OpaquePointer?
    switch format {
    case .svg:
      made = cairo_svg_surface_create_for_stream(
        Self.write, Unmanaged.passUnretained(sink).toOpaque(), Double(size.width), Double(size.height))
    case .png: made = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(size.width), Int32(size.height))
    }
    guard let made else { throw PlotError("cairo made no surface") }
    self.sink = sink
    surface = made
    // Never nil: where something is wrong it is a context that says so.
    guard let context = cairo_create(made) else {
      cairo_surface_destroy(made)
      throw PlotError("cairo made no context")
    }
    self.context = context
    if format == .svg, cairo_surface_status(made) == CAIRO_STATUS_SUCCESS {
      cairo_svg_surface_set_document_unit(made, CAIRO_SVG_UNIT_PX)
    }
    try check(cairo_status(context))
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Ends the picture; all of it as a file has it.
  func finish() throws(PlotError) -> [UInt8] {
    try check(cairo_status(context))
    if format == .png {
      try check(
        cairo_surface_write_to_png_stream(surface, Self.write, Unmanaged.passUnretained(sink).toOpaque()))
    }
    cairo_surface_finish(surface)
    try check(cairo_surface_status(surface))
    return sink.bytes
  }

  private static let write: cairo_write_func_t = { closure, data, count in
    guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
    let sink = Unmanaged<Sink>.fromOpaque(closure).takeUnretainedValue()
    sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
    return CAIRO_STATUS_SUCCESS
  }

  private func check(_ status: cairo_status_t) throws(PlotError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    let text = cairo_status_to_string(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
    throw PlotError("cairo cannot draw the picture: \(text)")
  }
}
