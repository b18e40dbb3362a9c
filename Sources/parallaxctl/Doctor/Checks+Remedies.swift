import Linux
import Wire

// What is to be typed, by how the daemon is run here.
extension Checks {
  static func restart(_ facts: MachineFacts) -> String {
    facts.hasService ? "sudo systemctl restart parallaxd" : "pkill --exact parallaxd; parallaxd"
  }

  /// Of one that hears no signal but this.
  static func forcedRestart(_ facts: MachineFacts) -> String {
    facts.hasService
      ? "sudo systemctl restart parallaxd" : "pkill --signal KILL --exact parallaxd; parallaxd"
  }

  /// nil where nobody keeps a log.
  static func log(_ facts: MachineFacts) -> String? {
    facts.hasService ? "journalctl --unit=parallaxd --lines=50" : nil
  }

  /// Says what is wrong with the configuration that the daemon was told to read.
  static func checkCommand(_ facts: MachineFacts) -> String {
    let files = facts.status?.configuration.files ?? []
    guard files.count == 1, let file = files.first, !file.hasPrefix("/etc/parallaxd/") else {
      return "parallaxd --check-config"
    }
    return "parallaxd --check-config --config \(quoted(file))"
  }

  /// Lines for the file that has the last word.
  static func settings(_ section: String, _ lines: [String], _ facts: MachineFacts) -> Remedy {
    let file = facts.status?.configuration.files.last ?? "/etc/parallaxd/parallaxd.toml"
    let reload = facts.hasService ? "sudo systemctl reload parallaxd" : "pkill -HUP --exact parallaxd"
    return .settings(.init(section: section, lines: lines, file: file, reload: reload))
  }

  /// As one word of a shell.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      (0x2b...0x3a).contains(byte) || (0x41...0x5a).contains(byte) || byte == 0x5f
        || (0x61...0x7a).contains(byte)
    }
    return isPlain
      ? path : "'\(path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
