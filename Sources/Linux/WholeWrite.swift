import Glibc

extension UnsafeRawBufferPointer {
  /// Writes all of it: write(2) takes less where a signal or a full disk comes between. Blocks where the descriptor
  /// does.
  ///
  /// - Parameter operation: what is attempted, for the error; by then some of the bytes may be written.
  package func write(to descriptor: Int32, _ operation: @autoclosure () -> String) throws(SystemError) {
    var written = 0
    while written < count {
      written += try checked(operation()) {
        Glibc.write(descriptor, baseAddress.map { $0 + written }, count - written)
      }
    }
  }
}

extension [UInt8] {
  /// Writes all of them, as `UnsafeRawBufferPointer.write` does.
  package func write(to descriptor: Int32, _ operation: @autoclosure () -> String) throws(SystemError) {
    try withUnsafeBufferPointer { bytes throws(SystemError) in
      try UnsafeRawBufferPointer(bytes).write(to: descriptor, operation())
    }
  }
}
