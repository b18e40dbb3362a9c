import CLinux
import Glibc
import Linux
import Sensors

/// Where the daemon keeps what is to outlive it.
package enum StateDirectory {
  /// The folder, made where it is missing, and the boot that this is; nil where there is none, and that is said.
  static func prepare(_ log: Log) -> StatePlace? {
    guard let path = path(userID: geteuid(), environment: environment) else {
      return without("neither STATE_DIRECTORY, XDG_STATE_HOME nor HOME is set", log)
    }
    guard let boot = bootIdentity() else {
      return without("which boot this is cannot be read from /proc", log)
    }
    do throws(SystemError) {
      try make(path)
      try checked("write to \(path)") { access(path, R_OK | W_OK | X_OK) }
    } catch {
      return without("\(error)", log)
    }
    return StatePlace(directory: path, boot: boot)
  }

  /// STATE_DIRECTORY as systemd sets it, the first one; else the system's for root and the user's for a user.
  package static func path(userID: uid_t, environment: (String) -> String?) -> String? {
    if let given = environment("STATE_DIRECTORY")?.split(separator: ":").first, given.hasPrefix("/") {
      return String(given)
    }
    if userID == 0 { return "/var/lib/parallaxd" }
    // A relative path is to be ignored, says the XDG base directory specification.
    if let home = environment("XDG_STATE_HOME"), home.hasPrefix("/") { return "\(home)/parallaxd" }
    if let home = environment("HOME"), home.hasPrefix("/") { return "\(home)/.local/state/parallaxd" }
    return nil
  }

  /// The folder; nil where there is none, which `prepare` has said.
  static var path: String? {
    guard let path = path(userID: geteuid(), environment: environment) else { return nil }
    return access(path, R_OK | W_OK | X_OK) == 0 ? path : nil
  }

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func without(_ why: String, _ log: Log) -> StatePlace? {
    log.warning(
      "no state is kept (\(why)): after a crash a sensor's settings will not be put back, "
        + "and its bias is not remembered")
    return nil
  }

  /// The kernel's name for this boot; the unit hides /proc/sys and hands it over instead.
  private static func bootIdentity() -> String? {
    if let given = environment("PARALLAXD_BOOT_ID"), let boot = hexadecimal(given) { return boot }
    return (try? SmallFile.text(of: "/proc/sys/kernel/random/boot_id", limit: 64)).flatMap(hexadecimal)
  }

  /// The 32 digits of an identity, with or without dashes.
  private static func hexadecimal(_ text: String) -> String? {
    let digits = text.filter { $0 != "-" && !$0.isWhitespace }
    return digits.utf8.count == 32 && digits.allSatisfy { $0.isASCII && $0.isHexDigit } ? digits : nil
  }

  /// Makes a folder and those above it, for this user alone.
  private static func make(_ path: String) throws(SystemError) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      do throws(SystemError) {
        try checked("make \(made)") { mkdir(made, 0o700) }
      } catch {
        // One that is there may also be on a file system that nothing can be made on.
        guard error.code == EEXIST || access(made, F_OK) == 0 else { throw error }
      }
    }
  }
}
