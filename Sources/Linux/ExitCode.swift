/// What the programs leave with.
package enum ExitCode {
  package static let success: Int32 = 0
  package static let failure: Int32 = 1
  /// The command line cannot be followed.
  package static let usage: Int32 = 2
  /// The client: nobody answers on the socket, or the daemon has left.
  package static let noDaemon: Int32 = 3
  /// The client: the daemon is there and says no: no right to connect, or to do this.
  package static let refused: Int32 = 4
  /// EX_CONFIG of sysexits.h: the configuration cannot be used; the unit does not restart on it.
  package static let configuration: Int32 = 78
}
