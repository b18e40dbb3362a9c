import Glibc
import TestSupport
import Testing

@testable import Linux

@Suite struct SmallFileTests {
  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(file >= 0 && Glibc.write(file, bytes, bytes.count) == bytes.count)
    close(file)
  }

  @Test(arguments: [(0, 10, 0), (10, 10, 10), (11, 10, 10), (9000, 100_000, 9000), (9000, 4097, 4097)])
  func contentsAreBounded(size: Int, limit: Int, expected: Int) throws {
    try TemporaryFolder.with { folder in
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
      try write(bytes, to: "\(folder)/a")
      #expect(try SmallFile.contents(of: "\(folder)/a", limit: limit) == Array(bytes.prefix(expected)))
    }
  }

  @Test func textEndsAtNUL() throws {
    try TemporaryFolder.with { folder in
      try write(Array("a\nb\0c".utf8), to: "\(folder)/a")
      #expect(try SmallFile.text(of: "\(folder)/a") == "a\nb")
    }
  }

  @Test func whatIsNoFileHoldsNobodyUp() throws {
    try TemporaryFolder.with { folder in
      try #require(mkfifo("\(folder)/pipe", 0o600) == 0)
      for (path, code) in [("\(folder)/pipe", EINVAL), (folder, EISDIR), ("\(folder)/none", ENOENT)] {
        let error = #expect(throws: SystemError.self) { try SmallFile.contents(of: path, limit: 10) }
        #expect(error?.code == code)
      }
    }
  }

  @Test func entriesByName() throws {
    try TemporaryFolder.with { folder in
      for name in ["b", "a", ".c", "B"] { try write([], to: "\(folder)/\(name)") }
      #expect(try Folder.entries(of: folder) == [".c", "B", "a", "b"])
      #expect(try Folder.entries(of: folder, limit: 2).count == 2)
      #expect(throws: SystemError.self) { try Folder.entries(of: "\(folder)/none") }
    }
  }
}
