/// Where the daemon listens unless it is told otherwise.
package enum SocketPath {
  /// The system's daemon.
  package static let system = "/run/parallaxd/socket"

  /// A user's own daemon; nil where there is no absolute `XDG_RUNTIME_DIR`.
  package static func user(runtimeDirectory: String?) -> String? {
    guard let runtimeDirectory, runtimeDirectory.hasPrefix("/") else { return nil }
    let folder = runtimeDirectory.hasSuffix("/") ? String(runtimeDirectory.dropLast()) : runtimeDirectory
    return folder + "/parallaxd/socket"
  }

  /// Where a daemon of `userID` listens: root's is the system's.
  ///
  /// - Parameter runtimeDirectory: `XDG_RUNTIME_DIR`.
  /// - Returns: nil where a user has no runtime directory; a path must be given then.
  package static func forDaemon(userID: UInt32, runtimeDirectory: String?) -> String? {
    userID == 0 ? system : user(runtimeDirectory: runtimeDirectory)
  }

  /// Where a client looks, in this order; `PARALLAXD_SOCKET` leaves no second choice.
  ///
  /// - Parameters:
  ///   - override: `PARALLAXD_SOCKET`.
  ///   - runtimeDirectory: `XDG_RUNTIME_DIR`.
  package static func forClient(override: String?, runtimeDirectory: String?) -> [String] {
    if let override, !override.isEmpty { return [override] }
    return [system] + [user(runtimeDirectory: runtimeDirectory)].compactMap { $0 }
  }
}
