/// A scene's numbers as a client receives them; `SceneFrame` says what they mean.
package struct SceneNumbers: Decodable, Equatable, Sendable {
  package struct Position: Decodable, Equatable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  package var background: Position?
  package var layers: [Position]?
  package var front: Position?
  package var values: [String: Double]?

  package init(
    background: Position? = nil, layers: [Position]? = nil, front: Position? = nil,
    values: [String: Double]? = nil
  ) {
    self.background = background
    self.layers = layers
    self.front = front
    self.values = values
  }
}
