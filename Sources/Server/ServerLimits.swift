import Wire

/// What connections may do before they are refused or closed.
package struct ServerLimits: Equatable, Sendable {
  /// Of each connection's messages.
  package var wire = WireLimits()
  package var maxConnections = 1100
  /// By the user at the other end.
  package var maxConnectionsPerUser = 256
  /// Nanoseconds in which a message that was begun must be complete.
  package var messageTimeoutNanoseconds: Int64 = 10_000_000_000
  /// Nanoseconds after which a client that takes nothing of what is sent to it is closed.
  package var clientTimeoutNanoseconds: Int64 = 10_000_000_000

  package init() {}
}
