import CLinux
import Daemon
import Glibc
import Linux

@main
struct Main {
  static func main() {
    // Before anything else gets a descriptor.
    _ = clinux_reserve_standard_descriptors()
    do {
      let options = try DaemonOptions(try ParsedArguments.ofProgram())
      if options.action == .run {
        // Before any thread exists: the loop takes signals from a descriptor. What has no loop ends by them, also where
        // a driver does not answer.
        clinux_block_signals()
      } else {
        signal(SIGPIPE, SIG_IGN)
      }
      exit(Command.run(options))
    } catch {
      complain("\(error)")
      exit(ExitCode.usage)
    }
  }
}
