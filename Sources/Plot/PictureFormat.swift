/// The kinds of pictures that are made; the end of a file's name says which.
package enum PictureFormat: String, CaseIterable, Sendable {
  case svg, png

  /// By the name's end, `.svg` or `.png` in any case; nil for any other, and for a name that is nothing else.
  package init?(fileName: String) {
    let name = fileName.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    self.init(rawValue: name[name.index(after: dot)...].lowercased())
  }
}

/// The size of a picture in pixels, within bounds: smaller than that nothing can be read, larger takes memory.
package struct PictureSize: Equatable, Sendable {
  package let width: Int
  package let height: Int

  package static let widths = 480...4096
  package static let heights = 360...4096
  package static let standard = PictureSize(unchecked: 1600, 1000)

  /// From `1600x1000`; nil where it is no such text or out of bounds.
  package init?(_ text: String) {
    let words = text.split(separator: "x", omittingEmptySubsequences: false)
    guard words.count == 2, words.allSatisfy({ $0.allSatisfy(\.isASCII) && $0.allSatisfy(\.isNumber) }),
      let width = Int(words[0]), let height = Int(words[1]), Self.widths.contains(width),
      Self.heights.contains(height)
    else { return nil }
    self.init(unchecked: width, height)
  }

  private init(unchecked width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }
}
