import CLinux
import Daemon
import Glibc
import Linux

@main
struct Main {
  static func main() {
    // Before anything else gets a descriptor.
    _ = clinux_reserve_standard_descriptors()
    // First of all, before any thread exists: the loop takes signals from a descriptor.
    clinux_block_signals()
    do {
      exit(Command.run(try DaemonOptions(try ParsedArguments.ofProgram())))
    } catch {
      complain("\(error)")
      exit(ExitCode.usage)
    }
  }
}
