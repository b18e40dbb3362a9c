import CLinux
import Glibc
import Settings

/// How many descriptors this process may have: one goes to each connection.
enum DescriptorLimit {
  /// What is open besides connections: the loop, the sensor, journals, and those who are told that they are one
  /// too many.
  static let others = 64

  /// Raises the limit, and says where it holds fewer connections than the settings allow. Again when settings are read
  /// anew: both may have changed.
  static func apply(_ settings: ServerSettings, _ log: Log) {
    let connections = settings.maxConnections
    let texts = [
      raise().flatMap { shortfall(connections: connections, limit: $0) },
      shortfall(connections: connections, kept: ServiceManager.descriptorsKept),
    ]
    for text in texts.compactMap({ $0 }) { log.warning(text) }
  }

  /// Raises the limit as far as the machine lets us: the one of old (1024) is below what may connect.
  ///
  /// - Returns: the limit in force; nil where the kernel does not say.
  static func raise() -> UInt? {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return nil }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
    return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : nil
  }

  /// What is said where fewer connections can be held than the settings allow; nil where all can.
  static func shortfall(connections: Int, limit: UInt) -> String? {
    let needed = UInt(connections + others)
    guard limit < needed else { return nil }
    return "server.max_connections = \(connections) needs \(needed) descriptors, and this process may have "
      + "\(limit): those who connect later will wait; allow more (LimitNOFILE=\(needed) in the unit, ulimit -n) "
      + "or fewer connections"
  }

  /// Besides connections the service manager keeps the handover file and two pages.
  static let othersKept = 3

  /// What is said where fewer connections are kept over a restart than the settings allow; nil where all are, or none.
  ///
  /// - Parameter kept: descriptors that the service manager keeps.
  static func shortfall(connections: Int, kept: Int) -> String? {
    let needed = connections + othersKept
    guard kept > 0, kept < needed else { return nil }
    return
      "server.max_connections = \(connections): over a restart the service manager keeps \(kept) descriptors, "
      + "of \(needed), and hangs up on the rest; raise FileDescriptorStoreMax= and FDSTORE in the unit, or allow fewer "
      + "connections"
  }
}
