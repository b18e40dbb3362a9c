import Glibc
import Linux

/// A failed call of libiio: what was attempted, and why it failed.
///
/// libiio has two ways to fail: a negative errno as the result, and NULL with errno set. Both end here.
package struct IIOError: Error, Equatable, Sendable {
  /// The errno value, positive.
  package let code: Int32
  /// What was attempted, as a person would say it: `read sampling_frequency of iio:device0`.
  package let operation: String

  /// - Parameter operation: may quote drivers and other machines: what a terminal would obey is escaped here.
  package init(code: Int32, operation: String) {
    self.code = code
    self.operation = operation.printable()
  }

  /// A system call failed beside libiio.
  init(_ error: SystemError) { self.init(code: error.code, operation: error.operation) }

  /// The caller has no right to do this.
  package var isPermission: Bool { code == EACCES || code == EPERM }

  /// Another reader holds the device.
  package var isBusy: Bool { code == EBUSY }

  /// The device is not, or no longer, there.
  package var isGone: Bool { code == ENODEV || code == ENXIO || code == ENOENT }

  /// The connection to another machine is lost: all further calls of its context fail.
  package var isDisconnection: Bool { code == EPIPE }

  /// The device gives no data.
  package var isSilent: Bool { code == EAGAIN || code == ETIMEDOUT }
}

extension IIOError: CustomStringConvertible {
  /// `read sampling_frequency of iio:device0: Permission denied`
  package var description: String { "\(operation): \(String(cString: strerror(code)))" }
}

/// Passes a result on, or throws the negative errno that it is.
@discardableResult
func checked<Result: SignedInteger>(_ operation: @autoclosure () -> String, _ result: Result)
  throws(IIOError) -> Result
{
  guard result < 0 else { return result }
  throw IIOError(code: Int32(truncatingIfNeeded: -result), operation: operation())
}

/// Passes a pointer on, or throws the errno that came with NULL. What makes something also prints: not here.
func checked(_ operation: @autoclosure () -> String, _ call: () -> OpaquePointer?)
  throws(IIOError) -> OpaquePointer
{
  let (pointer, code) = quietly {
    errno = 0
    let pointer = call()
    return (pointer, errno)
  }
  guard let pointer else { throw IIOError(code: code == 0 ? EIO : code, operation: operation()) }
  return pointer
}
