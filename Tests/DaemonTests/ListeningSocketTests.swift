import CLinux
import Glibc
import Linux
import TestSupport
import Testing

@testable import Daemon

/// What a failure in the middle leaves behind: nothing.
@Suite struct ListeningSocketTests {
  @Test(arguments: [
    ("make a socket", EMFILE), ("bind", EACCES), ("look at", ENOENT), ("set the mode", EPERM),
    ("listen", ENOBUFS),
  ])
  func aFailureLeavesNoFile(_ operation: String, _ code: Int32) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }  // what is not there must not be gone with it
    let path = "\(folder.path)/socket"
    ForcedFault.$present.withValue(ForcedFault(code, at: operation)) {
      let error = #expect(throws: ListenError.self) { _ = try ListeningSocket.bound(to: path, group: nil) }
      #expect(error?.description.contains(String(cString: strerror(code))) == true)
    }
    #expect(access(path, F_OK) != 0 && errno == ENOENT)

    let socket = try ListeningSocket.bound(to: path, group: nil)
    #expect(access(path, F_OK) == 0)
    socket.address.remove()
    #expect(access(path, F_OK) != 0)
  }

  /// One that cannot be tried is nobody's to remove.
  @Test func aSocketThatCannotBeTriedStays() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }  // what is not there must not be gone with it
    let path = "\(folder.path)/socket"
    _ = try ListeningSocket.bound(to: path, group: nil)  // dead as soon as it is here
    ForcedFault.$present.withValue(ForcedFault(EMFILE, at: "make a socket")) {
      let error = #expect(throws: ListenError.self) { _ = try ListeningSocket.bound(to: path, group: nil) }
      #expect(error?.description == "cannot serve: make a socket: Too many open files")
    }
    #expect(access(path, F_OK) == 0)
  }

  /// What fails after it was made is no reason to leave it behind, either.
  @Test func aDaemonThatDoesNotStartLeavesNoFile() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }  // what is not there must not be gone with it
    let path = "\(folder.path)/socket"
    let options = try DaemonOptions(["--demo", "--socket", path, "--set", "server.group="])
    let code = ForcedFault.$present.withValue(ForcedFault(ENOMEM, at: "read a listener's flags")) {
      Command.run(options)
    }
    #expect(code == ExitCode.failure)
    #expect(access(path, F_OK) != 0 && errno == ENOENT)
  }
}
