import Glibc

/// A failed system call: which call, on what, and why.
package struct SystemError: Error, Equatable, Sendable {
  /// The errno value, positive.
  package let code: Int32
  /// What was attempted, as a person would say it: `open /dev/iio:device0`.
  package let operation: String

  package init(code: Int32, operation: String) {
    self.code = code
    self.operation = operation
  }
}

extension SystemError: CustomStringConvertible {
  /// `open /dev/iio:device0: Permission denied`
  package var description: String { "\(operation): \(String(cString: strerror(code)))" }
}

/// Runs a call that answers −1 with errno; retries EINTR; throws what is left as a `SystemError`.
///
/// - Parameter operation: made only on failure.
@discardableResult
package func checked<Result: SignedInteger>(
  _ operation: @autoclosure () -> String, _ call: () -> Result
) throws(SystemError) -> Result {
  #if DEBUG
    if let fault = ForcedFault.present, operation().contains(fault.operation) {
      throw SystemError(code: fault.code, operation: operation())
    }
  #endif
  while true {
    let result = call()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw SystemError(code: code, operation: operation()) }
  }
}
