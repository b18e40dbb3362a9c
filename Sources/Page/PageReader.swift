import CPage
import Glibc
import Linux

/// A client's end of a page.
package struct PageReader: ~Copyable {
  private let memory: PageMemory

  /// Maps the page that came with the reply of `OpenPage`.
  ///
  /// - Throws: EINVAL where it is no page of the layout that this program knows.
  package init(mapping descriptor: borrowing FileDescriptor) throws(SystemError) {
    let number = descriptor.number
    var about = stat()
    try checked("look at the shared page") { fstat(number, &about) }
    // Beyond the end of a file that is shorter, reading would be a SIGBUS.
    guard about.st_size >= off_t(PageMemory.size) else {
      throw SystemError(code: EINVAL, operation: "map the shared page")
    }
    let mapped = try PageMemory(of: descriptor, writable: false)
    guard parallax_page_check(mapped.address, PageMemory.size) == 1 else {
      throw SystemError(code: EINVAL, operation: "read a shared page of another version")
    }
    memory = mapped
  }

  /// Reads the newest record; no system call.
  ///
  /// - Returns: nil where it could not be read just now: go on with the one before.
  package func read() -> PageFrame? {
    var frame = PageFrame()
    return parallax_page_read(memory.address, &frame) == 1 ? frame : nil
  }
}
