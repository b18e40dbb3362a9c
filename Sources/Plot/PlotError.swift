/// Why there is no picture: what cairo says.
package struct PlotError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One line for people.
  package let description: String

  init(_ description: String) { self.description = description }
}
