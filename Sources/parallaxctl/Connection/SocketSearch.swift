import CLinux
import Glibc
import Linux
import Wire

/// Where the daemon's socket is looked for, and what to say where it refuses.
enum SocketSearch {
  /// Sockets to try, in this order. One that is named is the only one.
  ///
  /// - Parameters:
  ///   - option: of `--socket`.
  ///   - environment: PARALLAXD_SOCKET and XDG_RUNTIME_DIR.
  static func candidates(option: String?, environment: (String) -> String?) -> [String] {
    if let option { return [option] }
    return SocketPath.forClient(
      override: environment("PARALLAXD_SOCKET"), runtimeDirectory: environment("XDG_RUNTIME_DIR"))
  }

  /// Connects to the first socket that exists. One that exists but refuses is an error, never a reason to
  /// go on to the next: the answer would come from a daemon that was not meant.
  static func connect(_ paths: [String]) throws(CommandError) -> Connection {
    for path in paths {
      do {
        return try Connection(path: path)
      } catch {
        switch error.code {
        case ENOENT, ENOTDIR: continue
        default: throw refusal(path: path, error)
        }
      }
    }
    let looked = paths.joined(separator: " nor ")
    let verb = paths.count > 1 ? "neither \(looked) exists" : "\(looked) does not exist"
    throw CommandError(
      ExitCode.noDaemon,
      "no daemon: \(verb); start it (\(isUnitInstalled ? "`sudo systemctl start parallaxd.socket`" : "`parallaxd`")) "
        + "or name its socket with --socket")
  }

  /// Whether systemd knows the daemon's socket: else it is no help to name it.
  private static var isUnitInstalled: Bool {
    ["/etc", "/usr/local/lib", "/usr/lib", "/lib"].contains {
      access("\($0)/systemd/system/parallaxd.socket", F_OK) == 0
    }
  }

  private static func refusal(path: String, _ error: SystemError) -> CommandError {
    switch error.code {
    case EACCES, EPERM:
      return CommandError(ExitCode.refused, "you may not connect to \(path): \(remedy(path: path))")
    case ECONNREFUSED where isOtherThanSocket(path):
      return CommandError(
        ExitCode.noDaemon, "\(path) is no socket: name the daemon's with --socket or PARALLAXD_SOCKET")
    case ECONNREFUSED:
      return CommandError(ExitCode.noDaemon, "nobody listens on \(path): \(stateHint(path: path))")
    case EAGAIN, ETIMEDOUT:
      return CommandError(
        ExitCode.noDaemon, "the daemon at \(path) does not take the connection: \(stateHint(path: path))",
        isHang: true)
    case ENAMETOOLONG:
      return CommandError(
        ExitCode.failure,
        "\(path) is too long for a socket's path: at most \(UnixAddress.maximumLength) bytes")
    default:
      return CommandError(ExitCode.failure, error.description)
    }
  }

  /// connect(2) says of a file of any kind what it says of a socket that was left behind.
  private static func isOtherThanSocket(_ path: String) -> Bool {
    var about = stat()
    return stat(path, &about) == 0 && about.st_mode & S_IFMT != S_IFSOCK
  }

  /// Where the daemon's own word is to be found.
  static func stateHint(path: String) -> String {
    path == SocketPath.system
      ? "`systemctl status parallaxd` says why"
      : "its log says why; start it again"
  }

  /// What lets a person in: the group of the socket, or of the folder that cannot be entered.
  private static func remedy(path: String) -> String {
    let user = AccountNames.user(geteuid())
    var about = stat()
    if stat(path, &about) != 0 {
      let folder = path.split(separator: "/").dropLast().map(String.init)
      guard stat("/" + folder.joined(separator: "/"), &about) == 0 else {
        return "a folder above it is closed to \(user)"
      }
    }
    let group = AccountNames.group(about.st_gid)
    // To connect takes the right to write to a socket, and to pass through its folder.
    let needed = about.st_mode & S_IFMT == S_IFDIR ? S_IXGRP : S_IWGRP
    guard about.st_mode & needed != 0, about.st_gid != 0 else {
      return "it is open to \(AccountNames.user(about.st_uid)) alone"
    }
    return "it is open to the group \(group); `sudo usermod -aG \(group) \(user)`, then log in again"
  }
}
