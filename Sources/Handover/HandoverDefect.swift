/// Why a connection cannot be taken up from the handover file, or the file not at all; for the log.
package enum HandoverDefect: String, Error, Equatable, Sendable, CaseIterable {
  case noState = "nothing was written down of it"
  case inDoubt = "the daemon ended while it was reading from it or sending to it"
  case damaged = "what was written down of it is damaged"
  case otherVersion = "the daemon before was of another version"
  case damagedFile = "what the daemon before left is damaged"
}
