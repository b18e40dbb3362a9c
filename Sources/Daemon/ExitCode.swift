/// What the programs leave with.
package enum ExitCode {
  package static let success: Int32 = 0
  package static let failure: Int32 = 1
  /// The command line cannot be followed.
  package static let usage: Int32 = 2
  /// EX_CONFIG of sysexits.h; the unit does not restart on it.
  package static let configuration: Int32 = 78
}
