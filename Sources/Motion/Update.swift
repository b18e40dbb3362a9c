/// What one sample brought about: one event, of one update or of several that were due together.
package struct Update: Equatable, Sendable {
  /// Index of the last update in it, from 0.
  package var sequence: Int64
  /// Of the sample it was made on.
  package var timestampNanoseconds: Int64
  /// The offset after it, before reduced motion scales it: points, to the right.
  package var x: Double
  /// Points, up.
  package var y: Double
  /// Whether a new stream began with it: samples may be missing before. Never for update 0.
  package var gap: Bool
  /// k: how many updates it stands for, at least 1.
  package var count: Int64

  package var offset: Offset { Offset(x: x, y: y) }
}
