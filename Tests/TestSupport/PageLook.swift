import Linux
import Page

/// A reader of a page that `#expect` can look at: macros take nothing that cannot be copied.
package final class PageLook {
  private let reader: PageReader
  /// The last that could be read.
  package private(set) var frame = PageFrame()

  package init(mapping descriptor: borrowing FileDescriptor) throws(SystemError) {
    reader = try PageReader(mapping: descriptor)
  }

  package func read() -> Bool {
    guard let newest = reader.read() else { return false }
    frame = newest
    return true
  }
}
