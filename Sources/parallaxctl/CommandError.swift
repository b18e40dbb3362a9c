import Linux

/// Why a command ends before its time.
struct CommandError: Error, Equatable, Sendable {
  /// One line for people: what, where, what to do. nil: there is nobody left to read it.
  let message: String?
  /// Of `ExitCode`.
  let code: Int32
  /// Whether a daemon is there that does not answer, which another try may not find again.
  let isHang: Bool

  init(_ code: Int32, _ message: String, isHang: Bool = false) {
    self.code = code
    self.message = message
    self.isHang = isHang
  }

  /// Whoever read our output has gone, as `head` does when it has seen enough: no reason to complain.
  static let outputClosed = CommandError()

  /// A signal or a key has asked for the end.
  static let asked = CommandError()

  /// `doctor` has said what.
  static let somethingIsWrong = CommandError(code: ExitCode.failure)

  private init(code: Int32 = ExitCode.success) {
    self.code = code
    message = nil
    isHang = false
  }
}

extension CommandError {
  /// Runs `body`; its error ends the command with `code`.
  static func wrap<Result: ~Copyable, Failure: Error & CustomStringConvertible>(
    _ code: Int32, _ body: () throws(Failure) -> Result
  ) throws(CommandError) -> Result {
    do {
      return try body()
    } catch {
      throw CommandError(code, error.description)
    }
  }
}
