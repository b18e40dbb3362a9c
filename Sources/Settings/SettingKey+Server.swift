import Linux

/// `[server]`
extension SettingKey {
  static let server: [SettingKey] = [
    .text(
      "server.socket", \.server.socket,
      TextBounds(
        what: "an absolute path",
        emptyMeans: "/run/parallaxd/socket, or $XDG_RUNTIME_DIR/parallaxd/socket for a user",
        maxBytes: UnixAddress.maximumLength, isAbsolutePath: true)),
    .text(
      "server.group", \.server.group,
      TextBounds(what: "the name of a group", emptyMeans: "the daemon's own", maxBytes: 32)),
    .text(
      "server.control_group", \.server.controlGroup,
      TextBounds(
        what: "the name of a group", emptyMeans: "nobody but root and the daemon's user", maxBytes: 32)),
    .boolean("server.allow_rate", \.server.allowRate),
    .boolean("server.allow_raw", \.server.allowRaw),
    .integer("server.max_message", \.server.maxMessage, 1024...1_048_576, unit: "bytes"),
    .integer("server.max_nesting", \.server.maxNesting, 2...64),
    .integer("server.max_pipelined_calls", \.server.maxPipelinedCalls, 1...1024),
    .integer("server.max_connections", \.server.maxConnections, 1...10_000),
    .integer("server.max_connections_per_user", \.server.maxConnectionsPerUser, 1...10_000),
    .seconds("server.message_timeout", \.server.messageTimeoutNanoseconds, .from(0.1, to: 3600)),
    .seconds("server.client_timeout", \.server.clientTimeoutNanoseconds, .from(0.1, to: 3600)),
  ]
}
