import CLinux
import CPage
import Glibc
import Linux

/// A mapping of a page; unmapped when the owner goes.
struct PageMemory: ~Copyable {
  static let size = Int(PARALLAX_PAGE_SIZE)

  let address: UnsafeMutableRawPointer

  init(of descriptor: borrowing FileDescriptor, writable: Bool) throws(SystemError) {
    let number = descriptor.number
    let mapped = mmap(
      nil, Self.size, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, number, 0)
    guard let mapped, mapped != MAP_FAILED else {
      throw SystemError(code: errno, operation: "map the shared page")
    }
    address = mapped
  }

  deinit { munmap(address, Self.size) }
}
