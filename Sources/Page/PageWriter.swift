import CLinux
import CPage
import Glibc
import Linux

/// The daemon's end of a page: a memfd that can neither shrink nor grow, and the one writer of its record.
///
/// Writing allocates nothing, takes no lock and makes no system call, however many read. A record is there
/// from the beginning, so that a reader never finds an empty page.
package struct PageWriter: ~Copyable {
  /// The memfd itself, which can be written to: never for clients.
  package let descriptor: FileDescriptor
  private let memory: PageMemory

  /// Makes a page.
  package init(_ frame: PageFrame) throws(SystemError) {
    let made = FileDescriptor(
      owning: try checked("make the shared page") { clinux_memfd_create("parallaxd-page") })
    let number = made.number
    // Made as 0777: who has a descriptor could open it once more, for writing, if the mode let him.
    try checked("close the shared page to others") { fchmod(number, 0o600) }
    try checked("give the shared page its size") { ftruncate(number, off_t(PageMemory.size)) }
    try checked("seal the shared page") { clinux_seal_size(number) }
    memory = try PageMemory(of: made, writable: true)
    descriptor = made
    cpage_prepare(memory.address)
    write(frame)
  }

  /// Takes up a page of a daemon before this one, whose readers go on. A record that was half written when
  /// that daemon died is replaced at once.
  ///
  /// - Throws: EINVAL where it is no page of this layout, or could still change its size.
  package init(
    takingUp old: consuming FileDescriptor, _ frame: PageFrame
  ) throws(SystemError) {
    let number = old.number
    var about = stat()
    try checked("look at a shared page") { fstat(number, &about) }
    guard about.st_size == off_t(PageMemory.size), clinux_size_is_sealed(number) == 1 else {
      throw SystemError(code: EINVAL, operation: "take up a shared page")
    }
    let mapped = try PageMemory(of: old, writable: true)
    guard parallax_page_check(mapped.address, PageMemory.size) == 1 else {
      throw SystemError(code: EINVAL, operation: "take up a shared page of another version")
    }
    memory = mapped
    descriptor = old
    write(frame)
  }

  /// Writes a record.
  package func write(_ frame: PageFrame) {
    withUnsafePointer(to: frame) { cpage_write(memory.address, $0) }
  }

  /// Another descriptor of it, for a client: it can only be read and mapped for reading.
  package func openForReading() throws(SystemError) -> FileDescriptor {
    try FileDescriptor(opening: "/proc/self/fd/\(descriptor.number)", flags: O_RDONLY)
  }
}
