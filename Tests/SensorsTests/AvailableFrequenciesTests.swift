import TestSupport
import Testing

@testable import Sensors

@Suite struct AvailableFrequenciesTests {
  struct Case {
    var offered: String
    var asked: Double
    var hertz: Double
    var text: String
  }

  @Test(arguments: [
    Case(offered: "25 50 100 200 400", asked: 66.7, hertz: 100, text: "100"),
    Case(offered: "25 50 100 200 400", asked: 100, hertz: 100, text: "100"),
    Case(offered: "400 200 12.500000 50", asked: 3, hertz: 12.5, text: "12.500000"),
    Case(offered: "25 50", asked: 66.7, hertz: 50, text: "50"),
    Case(offered: "0 0.000000 13 junk -5\n", asked: 10, hertz: 13, text: "13"),
    Case(offered: "[1e19 1 1e20]", asked: 66.7, hertz: 1e19, text: "1000000000000000000"),
    Case(offered: "[10 10 1000]", asked: 66.7, hertz: 70, text: "70"),
    Case(offered: "[10 10 1000]", asked: 5000, hertz: 1000, text: "1000"),
    Case(offered: "[10 30 95]", asked: 94, hertz: 70, text: "70"),
    Case(offered: "[4.5 0.5 100]", asked: 66.6, hertz: 67, text: "67"),
    Case(offered: "[1 0 100]", asked: 66.5, hertz: 66.5, text: "66.500000"),
    Case(offered: "[1 0 100]", asked: 0.5, hertz: 1, text: "1"),
    Case(offered: "[0 500 100]", asked: 66, hertz: 100, text: "100"),
  ])
  func nearest(of one: Case) throws {
    let chosen = try #require(AvailableFrequencies(one.offered)).nearest(notBelow: one.asked)
    #expect(chosen == AvailableFrequencies.Choice(hertz: one.hertz, text: one.text))
  }

  @Test(arguments: [
    "", "\n", "none", "0", "-1", "[1 2]", "[1 2 3 4]", "[5 1 1]", "[0 0 0]", "[1 x 3]", "[1 1 9",
  ])
  func nothingOffered(text: String) {
    #expect(AvailableFrequencies(text) == nil)
  }

  /// What is chosen is offered, and no offered frequency lies between it and what was asked.
  @Test func isTheNearest() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let offered = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
        Int.random(in: 1...500, using: &generator)
      }
      let asked = Double.random(in: 0...600, using: &generator)
      let chosen = AvailableFrequencies(offered.map(String.init).joined(separator: " "))?.nearest(
        notBelow: asked)
      let expected = offered.filter { Double($0) >= asked }.min() ?? offered.max()
      #expect(chosen.map { Int($0.hertz) } == expected, "\(offered), asked \(asked), seed \(seed)")
    }
  }
}
