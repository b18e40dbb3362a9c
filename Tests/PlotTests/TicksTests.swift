import Testing

@testable import Plot

struct TicksTests {
  @Test func placeholder() { #expect(Bool(true)) }
}
