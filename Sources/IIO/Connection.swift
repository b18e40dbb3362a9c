import CIIO
import Glibc

/// The way to another machine's devices, which may be lost. One for each context that is not this machine's;
/// its context's thread's.
///
/// After a call that was not answered in time nothing can be asked any more: libiio would take the late answer
/// for that of the next call. So all that follows fails at once, which also bounds how long it takes to find
/// out that nobody answers.
final class Connection {
  /// Whether a call has shown that nobody answers.
  private(set) var isLost = false
  private let isNetwork: Bool

  /// nil for the devices of this machine.
  init?(_ context: OpaquePointer) {
    guard !isLocalContext(context) else { return nil }
    isNetwork = iio_context_get_name(context).map { strcmp($0, "network") == 0 } ?? false
  }

  fileprivate func call<Result: SignedInteger>(_ operation: () -> String, _ call: () -> Result)
    throws(IIOError) -> Result
  {
    guard !isLost else { throw IIOError(code: EPIPE, operation: operation()) }
    let result = quietly(call)
    if result < 0, shows(Int32(truncatingIfNeeded: -result)) { isLost = true }
    return try checked(operation(), result)
  }

  /// Whether an error is the connection's; all others are the other machine's answer.
  private func shows(_ code: Int32) -> Bool {
    switch code {
    // libiio makes EPIPE of an answer that does not come in time over a network.
    case EPIPE, ECONNRESET, ECONNABORTED, ENOTCONN, ESHUTDOWN, EHOSTUNREACH, ENETUNREACH, ENETDOWN, EBADF:
      true
    // Over a network it is an answer: a driver there has waited in vain.
    case ETIMEDOUT: !isNetwork
    default: false
    }
  }
}

extension Connection? {
  /// Makes a call, or throws the negative errno that it returns; EPIPE at once where the connection is lost.
  @discardableResult
  func checked<Result: SignedInteger>(_ operation: @autoclosure () -> String, _ call: () -> Result)
    throws(IIOError) -> Result
  {
    guard let self else { return try IIO.checked(operation(), call()) }
    return try self.call(operation, call)
  }
}
