import Glibc
import Linux
import TestSupport
import Testing

@testable import Sensors

@Suite struct StateJournalTests {
  private static let device = StateRecord.Device(
    uri: "local:", id: "iio:device0", name: "bmi160", parent: "")
  private static let step = StateRecord.Step.device(attribute: "buffer/length", text: "2")
  private static let boot = "0123456789abcdef0123456789abcdef"

  /// A journal in a folder that is gone after the body, and where its file is.
  private func withJournal(_ body: (StateJournal, String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let path = StateFile.path(of: Self.device, in: folder)
      try body(StateJournal(StatePlace(directory: folder, boot: Self.boot), Self.device), path)
    }
  }

  private func steps(at path: String) throws -> [StateRecord.Step]? {
    StateRecord(parsing: try SmallFile.contents(of: path, limit: 4096))?.steps
  }

  #if DEBUG
    @Test(arguments: ["open", "lock", "write"])
    func cannotBeBegun(operation: String) throws {
      try withJournal { journal, path in
        ForcedFault.$present.withValue(ForcedFault(EROFS, at: "\(operation) \(path)")) {
          journal.append(Self.step)
        }
        let trouble = try #require(journal.trouble)
        #expect(trouble.contains("after a crash") && trouble.contains(path))
      }
    }

    /// What was written down stays so, and nothing follows what may be half a line.
    @Test func cannotBeGoneOnWith() throws {
      try withJournal { journal, path in
        journal.append(Self.step)
        #expect(journal.trouble == nil)
        ForcedFault.$present.withValue(ForcedFault(ENOSPC, at: "write \(path)")) {
          journal.append(.noTrigger)
        }
        let trouble = try #require(journal.trouble)
        #expect(trouble.contains("after a crash") && trouble.contains(path))
        journal.append(.noTrigger)
        let written = try steps(at: path)
        #expect(written == [Self.step])
      }
    }
  #endif

  @Test func whatWouldMakeItVoidIsLeftOut() throws {
    try withJournal { journal, path in
      journal.append(.device(attribute: "buffer/length", text: "2\u{1b}"))
      let trouble = try #require(journal.trouble)
      #expect(trouble.contains("after a crash") && trouble.contains("buffer/length"))
      journal.append(Self.step)
      let written = try steps(at: path)
      #expect(written == [Self.step])
    }
  }

  @Test func endsWithItsFile() throws {
    try withJournal { journal, path in
      journal.append(Self.step)
      let written = try steps(at: path)
      #expect(written == [Self.step])
      journal.clear()
      #expect(access(path, F_OK) != 0 && journal.trouble == nil)
    }
  }
}
