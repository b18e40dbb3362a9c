/// What a peer may send before it is taken to be broken or hostile.
package struct WireLimits: Equatable, Sendable {
  /// Bytes of one message, without its end.
  package var maxMessage = 65_536
  /// Objects and arrays inside one another; the message itself is the first.
  package var maxNesting = 16
  /// Complete messages that wait for their turn.
  package var maxPipelinedCalls = 16

  package init() {}
}

/// Why the bytes of a connection are no messages; the connection ends with it.
package enum FramingViolation: Error, Equatable, Sendable {
  /// Not one JSON object.
  case malformed
  /// Ended by the peer or by the clock in mid-message.
  case unfinished
  /// Nested deeper than `limit`.
  case tooDeep(limit: Int)
  /// More than `limit` bytes.
  case tooLong(limit: Int)
  /// More than `limit` complete messages that wait.
  case tooManyWaiting(limit: Int)
}
