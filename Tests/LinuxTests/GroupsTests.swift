import Glibc
import Testing

@testable import Linux

@Suite struct GroupsTests {
  @Test func byName() {
    #expect(Groups.id(named: "root") == 0)
    #expect(Groups.id(named: "no-such-group-of-parallaxd") == nil)
    #expect(Groups.id(named: "") == nil)
  }

  @Test func theEffectiveOneIsAmongThem() { #expect(Groups.ofThisProcess.contains(getegid())) }
}
