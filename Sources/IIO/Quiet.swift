import CIIO
import Linux

/// Runs calls that print on their own without their print: a journal would carry a warning at every buffer
/// that is opened. What goes wrong comes back as an error.
///
/// C's stderr is one for the process: what another thread prints through it meanwhile is lost too. Nothing
/// of ours does (it writes to descriptor 2), but the runtime's last words may.
func quietly<Result: ~Copyable, Failure>(_ calls: () throws(Failure) -> Result) throws(Failure) -> Result {
  Quiet.enter()
  defer { Quiet.leave() }
  return try calls()
}

private enum Quiet {
  /// How many calls are under way, and the two streams as addresses; opened once.
  private struct State {
    var depth = 0
    var nowhere: UInt?
    var before: UInt = 0
  }

  private static let state = Guarded(State())

  static func enter() {
    state.withLock { state in
      state.depth += 1
      guard state.depth == 1 else { return }
      if state.nowhere == nil { state.nowhere = UInt(bitPattern: ciio_open_nowhere()) }
      let stream = UnsafeMutablePointer<FILE>(bitPattern: state.nowhere ?? 0)
      state.before = UInt(bitPattern: ciio_replace_messages(stream))
    }
  }

  static func leave() {
    state.withLock { state in
      state.depth -= 1
      guard state.depth == 0 else { return }
      _ = ciio_replace_messages(UnsafeMutablePointer<FILE>(bitPattern: state.before))
    }
  }
}
