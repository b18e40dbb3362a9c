import Testing

@testable import parallaxctl

@Suite struct UnitStateTests {
  @Test func units() {
    let text = """
      Result=success
      Id=parallaxd.service
      LoadState=loaded
      ActiveState=active
      UnitFileState=static

      Id=parallaxd.socket
      LoadState=not-found
      ActiveState=inactive
      UnitFileState=
      nonsense
      Id=\u{1b}[2J
      """
    let units = UnitState.parse(text)
    #expect(
      units["parallaxd.service"]
        == UnitState(load: "loaded", active: "active", file: "static", result: "success"))
    #expect(units["parallaxd.socket"] == UnitState(load: "not-found", active: "inactive"))
    #expect(units.keys.allSatisfy { !$0.contains("\u{1b}") })
    #expect(UnitState.parse("").isEmpty)
  }
}
