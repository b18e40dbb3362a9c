import Glibc
import Linux

/// A folder of a test's own, which goes with its owner and takes all that is in it along.
package final class TemporaryFolder {
  package let path: String

  package init() throws(SystemError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/parallaxd-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw SystemError(code: errno, operation: "make a folder in \(parent)")
    }
    path = String(cString: made)
  }

  /// Runs `body` with the path of a new one.
  package static func with(_ body: (String) throws -> Void) throws {
    let folder = try TemporaryFolder()
    try withExtendedLifetime(folder) { try body(folder.path) }
  }

  deinit { Self.remove(path) }

  private static func remove(_ folder: String) {
    for name in (try? Folder.entries(of: folder)) ?? [] where unlink("\(folder)/\(name)") != 0 {
      remove("\(folder)/\(name)")
    }
    rmdir(folder)
  }
}
