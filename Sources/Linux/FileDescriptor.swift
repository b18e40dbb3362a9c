import CLinux
import Glibc

/// An open descriptor with one owner; closed when the owner goes.
package struct FileDescriptor: ~Copyable {
  /// The number the kernel knows it by; valid as long as this value lives.
  package let number: Int32

  /// Takes ownership of an open descriptor.
  package init(owning number: Int32) { self.number = number }

  /// `open(2)`, always with O_CLOEXEC.
  package init(opening path: String, flags: Int32) throws(SystemError) {
    number = try checked("open \(path)") { clinux_open(path, flags) }
  }

  deinit { close(number) }
}
