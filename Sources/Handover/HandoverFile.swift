import CLinux
import Glibc
import Linux

/// What outlives the process: a file without a name that the service manager keeps a descriptor of, mapped. Its size
/// is sealed, so that no access to it can fail.
package final class HandoverFile {
  package let image: HandoverImage
  private let descriptor: FileDescriptor
  private let memory: UnsafeMutableRawBufferPointer

  /// A new one. It takes memory as it is used.
  package static func make(_ layout: HandoverLayout = .standard) throws -> HandoverFile {
    let number = try checked("make the handover file") { clinux_memfd_create("parallaxd-state") }
    let descriptor = FileDescriptor(owning: number)
    try checked("set the mode of the handover file") { fchmod(number, 0o600) }
    try checked("size the handover file") { ftruncate(number, layout.size) }
    try checked("seal the handover file") { clinux_seal_size(number) }
    let memory = try map(descriptor, size: layout.size)
    do {
      return HandoverFile(descriptor, memory, try HandoverImage(formatting: memory, as: layout))
    } catch {
      munmap(memory.baseAddress, memory.count)
      throw error
    }
  }

  /// The one that a daemon before has left.
  ///
  /// Throws a `HandoverDefect` where it is none that can be gone on with.
  package static func adopt(_ descriptor: consuming FileDescriptor) throws -> HandoverFile {
    let number = descriptor.number
    var status = stat()
    try checked("look at the handover file") { fstat(number, &status) }
    guard clinux_size_is_sealed(number) == 1, status.st_size <= HandoverLayout.mostBytes else {
      throw HandoverDefect.damagedFile
    }
    let memory = try map(descriptor, size: Int(status.st_size))
    do {
      return HandoverFile(descriptor, memory, try HandoverImage(checking: memory))
    } catch {
      munmap(memory.baseAddress, memory.count)
      throw error
    }
  }

  private init(
    _ descriptor: consuming FileDescriptor, _ memory: UnsafeMutableRawBufferPointer, _ image: HandoverImage
  ) {
    self.descriptor = descriptor
    self.memory = memory
    self.image = image
  }

  deinit { munmap(memory.baseAddress, memory.count) }

  /// For the manager to keep.
  package var number: Int32 { descriptor.number }

  /// Gives the memory back of bytes that wait no more.
  func releaseBody(of slot: Int) {
    let body = UnsafeMutableRawBufferPointer(rebasing: memory[image.bodyRange(of: slot)])
    madvise(body.baseAddress, body.count, Int32(MADV_REMOVE))
  }

  private static func map(_ descriptor: borrowing FileDescriptor, size: Int) throws(SystemError)
    -> UnsafeMutableRawBufferPointer
  {
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number, 0)
    guard let memory, memory != MAP_FAILED else {
      throw SystemError(code: errno, operation: "map the handover file")
    }
    return UnsafeMutableRawBufferPointer(start: memory, count: size)
  }
}
