import Testing

@testable import Plot

struct SurfaceTests {
  /// What cairo refuses is an error in its words, not half a picture.
  @Test(arguments: PictureFormat.allCases)
  func cairosOwnErrors(_ format: PictureFormat) throws {
    let canvas = try Canvas(format, .standard)
    canvas.stroke([[Point(0, 0), Point(9, 9)]], .x, width: 1, dash: [-1])
    let error = #expect(throws: PlotError.self) { _ = try canvas.finish() }
    #expect(error?.description.hasPrefix("cairo cannot draw the picture: ") == true)
    #expect(error?.description.contains("dash") == true)
  }

  /// A whole file, from its first byte.
  @Test(arguments: PictureFormat.allCases)
  func whatIsWritten(_ format: PictureFormat) throws {
    let bytes = try Canvas(format, .standard).finish()
    #expect(bytes.starts(with: format == .svg ? Array("<?xml".utf8) : [0x89, 0x50, 0x4e, 0x47]))
  }
}
