import Testing

@testable import parallaxctl

struct LandscapeTests {
  private static let size = (width: 160, height: 64)

  private func look(_ x: Double, _ y: Double) -> Landscape {
    Landscape(width: Self.size.width, height: Self.size.height, x: x, y: y)
  }

  /// Where a layer begins, from left to right, as far as nothing nearer is in the way.
  private func outline(_ landscape: Landscape, _ layer: Landscape.Layer) -> [Int?] {
    (0..<Self.size.width).map { x in
      let column = (0..<Self.size.height).map { landscape.look(x, $0).layer }
      let top = column.firstIndex(of: layer)
      return top.flatMap { $0 > 0 && column[$0 - 1].rawValue < layer.rawValue ? $0 : nil }
    }
  }

  /// What is near moves with the offset, what is far by a fraction of it: that is the parallax.
  @Test(arguments: [(Landscape.Layer.trees, 1.0), (.hills, 2), (.mountains, 4)])
  func everyLayerMovesByItsDepth(_ layer: Landscape.Layer, _ depth: Double) {
    let moved = 24.0
    let units = Int(moved / Landscape.pointsPerUnit / depth)
    let before = outline(look(0, 0), layer)
    let after = outline(look(moved, 0), layer)
    var compared = 0
    for x in 0..<Self.size.width - units {
      guard let old = before[x], let new = after[x + units] else { continue }
      compared += 1
      #expect(old == new)
    }
    #expect(compared > 20)
  }

  @Test func upIsUp() {
    let tops = [-20.0, 0, 20].map { y in outline(look(0, y), .trees).compactMap { $0 }.min() ?? 0 }
    #expect(tops[0] > tops[1] && tops[1] > tops[2])
  }

  /// However far the offset has gone: sky above, trees below.
  @Test(arguments: [0.0, 100, -100, 1e4, -1e6, 1e18, -1e308, .infinity, .nan])
  func skyAndGroundStayInThePicture(_ offset: Double) {
    for landscape in [look(offset, 0), look(0, offset), look(-offset, offset)] {
      let layers = (0..<Self.size.width).map { landscape.look($0, 0).layer }
      #expect(layers.contains(.stars))
      #expect(Set((0..<Self.size.height).map { landscape.look(3, $0).layer }).count > 1)
    }
  }

  @Test func theSameOffsetIsTheSamePicture() {
    for (x, y) in [(0, 0), (17, 40), (159, 63), (80, 20)] {
      let (first, second) = (look(12, -7).look(x, y), look(12, -7).look(x, y))
      #expect(first == second)
    }
  }
}
