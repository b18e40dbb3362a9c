import Glibc
import Linux
import Wire

/// The right to change things for others: who has it, and how one comes to it.
enum ControlRight {
  /// What is said to who does not have it.
  ///
  /// - Parameters:
  ///   - path: the daemon's socket.
  ///   - status: of that daemon, which names the group; nil where it did not say.
  ///   - user: who asks.
  static func refusal(from path: String, _ status: Status?, user: String) -> CommandError {
    let group = status?.setting("server.control_group")
    let text =
      switch group {
      case .some(""): "this is for root and its own user, since server.control_group is not set: use sudo"
      case .some(let group) where isName(group):
        "this is for root, its own user and the group \(group): `sudo usermod -aG \(group) \(user)`, then log in "
          + "again, or use sudo"
      default: "this is for root, its own user and the control group: use sudo"
      }
    return CommandError(ExitCode.refused, "the daemon at \(path) refuses: \(text)")
  }

  /// Whether it can stand in a command that somebody types.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 32 && text.first != "-"
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
  }
}

extension Connection {
  /// Sends a call that changes something for others, and takes its reply.
  mutating func change(_ call: [UInt8]) throws(CommandError) {
    do throws(CommandError) {
      _ = try self.call(call, as: NoParameters.self)
    } catch {
      guard error.code == ExitCode.refused else { throw error }
      let status = try? self.call(Calls.getStatus, as: Status.self)
      throw ControlRight.refusal(from: path, status, user: AccountNames.user(geteuid()))
    }
  }
}
