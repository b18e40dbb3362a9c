import Linux

/// What is told beside the curves. Its texts are other people's: they become fit for a line here.
package struct PlotFacts: Sendable {
  package let title: String
  /// Whether no sensor was read.
  package let isSynthetic: Bool
  /// Below the title.
  package let lines: [String]
  /// θ, rad/s.
  package let threshold: Double
  /// L, points; infinite: none.
  package let limit: Double
  /// Samples that the pipeline left out.
  package let outOfOrder: Int64
  package let invalid: Int64

  package init(
    title: String, isSynthetic: Bool, lines: [String], threshold: Double, limit: Double, outOfOrder: Int64,
    invalid: Int64
  ) {
    self.title = title.printable(limit: 200)
    self.isSynthetic = isSynthetic
    self.lines = lines.map { $0.printable(limit: 1000) }
    self.threshold = threshold
    self.limit = limit
    self.outOfOrder = outOfOrder
    self.invalid = invalid
  }

  /// `3 dropped (2 out of order, 1 invalid)`; nil where none is.
  var droppedText: String? {
    guard outOfOrder + invalid > 0 else { return nil }
    let parts = [(outOfOrder, "out of order"), (invalid, "invalid")].filter { $0.0 > 0 }
    return "\(outOfOrder + invalid) dropped (\(parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")))"
  }
}
