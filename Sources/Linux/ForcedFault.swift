#if DEBUG
  /// Lets a test see what happens when a call fails that does not fail on a machine that is well:
  ///
  ///     ForcedFault.$present.withValue(ForcedFault(ENOSPC, at: "bind")) { … }
  ///
  /// Only in debug builds; only in the task, or the thread, that runs the closure.
  package struct ForcedFault: Sendable {
    @TaskLocal package static var present: ForcedFault?

    /// The errno value.
    package let code: Int32
    /// A part of the operation's text as `checked` has it; the call itself is not made.
    package let operation: String

    package init(_ code: Int32, at operation: String) {
      self.code = code
      self.operation = operation
    }
  }
#endif
