/// A scene's numbers as a client receives them; `SceneFrame` says what they mean.
package struct SceneNumbers: Decodable, Equatable, Sendable {
  package struct Position: Decodable, Equatable, Sendable {
    package var x: Double
    package var y: Double
  }

  package var background: Position?
  package var layers: [Position]?
  package var front: Position?
  package var values: [String: Double]?
}
