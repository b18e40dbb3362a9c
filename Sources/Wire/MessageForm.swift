/// How messages end on a connection; the first message that comes in decides for its whole life.
package enum MessageForm: Sendable {
  /// Varlink's own: each message ends in NUL.
  case varlink
  /// For people with `socat` and `nc`: the same envelopes, each on a line.
  case jsonLines

  /// The byte after each message.
  package var terminator: UInt8 {
    switch self {
    case .varlink: 0
    case .jsonLines: UInt8(ascii: "\n")
    }
  }
}
