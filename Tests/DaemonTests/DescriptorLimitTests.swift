import Testing

@testable import Daemon

@Suite struct DescriptorLimitTests {
  @Test(arguments: [
    (1100, UInt(1164), false), (1100, 1163, true), (1, 65, false), (1, 64, true), (10_000, .max, false),
  ])
  func aShortfallIsSaid(connections: Int, limit: UInt, isShort: Bool) {
    let text = DescriptorLimit.shortfall(connections: connections, limit: limit)
    #expect((text != nil) == isShort)
    if let text {
      #expect(text.contains("server.max_connections = \(connections)"))
      #expect(text.contains("LimitNOFILE=\(connections + DescriptorLimit.others)"))
    }
  }

  @Test(arguments: [
    (1100, 2202, false), (1100, 1103, false), (1100, 1102, true), (10_000, 2202, true), (10_000, 0, false),
  ])
  func aShortfallOfTheServiceManagerIsSaid(connections: Int, kept: Int, isShort: Bool) {
    let text = DescriptorLimit.shortfall(connections: connections, kept: kept)
    #expect((text != nil) == isShort)
    #expect(text?.contains("FileDescriptorStoreMax=") ?? true)
  }
}
