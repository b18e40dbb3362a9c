import Linux

/// `[server]`
extension SettingKey {
  static let server: [SettingKey] = [
    .text(
      "server.socket", \.server.socket,
      TextBounds(
        what: "an absolute path",
        emptyMeans: "/run/parallaxd/socket, or $XDG_RUNTIME_DIR/parallaxd/socket for a user",
        maxBytes: UnixAddress.maximumLength, isAbsolutePath: true),
      "the socket to listen on; ignored where systemd hands one over"),
    .text(
      "server.group", \.server.group,
      TextBounds(what: "the name of a group", emptyMeans: "the daemon's own", maxBytes: 32),
      "whose members may connect; ignored where systemd hands a socket over"),
    .text(
      "server.control_group", \.server.controlGroup,
      TextBounds(
        what: "the name of a group", emptyMeans: "nobody but root and the daemon's user", maxBytes: 32),
      "whose members may change state for others and see rates"),
    .boolean(
      "server.allow_rate", \.server.allowRate,
      "whether all who may connect may see angular rates (a gyroscope is a microphone of sorts)"),
    .boolean("server.allow_raw", \.server.allowRaw, "whether raw scans are given"),
    .integer(
      "server.max_message", \.server.maxMessage, 1024...1_048_576, unit: "bytes", "the longest message"),
    .integer(
      "server.max_nesting", \.server.maxNesting, 2...64,
      "how deep a message's objects and arrays may be nested"),
    .integer(
      "server.max_pipelined_calls", \.server.maxPipelinedCalls, 1...1024,
      "calls that may wait on one connection"),
    .integer("server.max_connections", \.server.maxConnections, 1...10_000, "connections in all"),
    .integer(
      "server.max_connections_per_user", \.server.maxConnectionsPerUser, 1...10_000,
      "connections of one user"),
    .seconds(
      "server.message_timeout", \.server.messageTimeoutNanoseconds, .from(0.1, to: 3600),
      "time in which a message that was begun must be complete"),
    .seconds(
      "server.client_timeout", \.server.clientTimeoutNanoseconds, .from(0.1, to: 3600),
      "time after which a subscriber that takes nothing is closed"),
  ]
}
