import Linux

/// Why there are no scans.
package struct SensorFailure: Error, Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    case noDevice, permission, busy, noData
    /// The configuration cannot work: a trace that does not read, a URI that is none.
    case configuration
  }

  package var reason: Reason
  /// One sentence for people: what, where, what to do.
  package var text: String
  /// Nanoseconds until the next attempt; nil: only a reload or a restart helps.
  package var retryInNanoseconds: Int64?

  /// - Parameter text: may quote drivers and other machines: what a terminal would obey is escaped here.
  package init(_ reason: Reason, _ text: String, retryInNanoseconds: Int64? = nil) {
    self.reason = reason
    self.text = text.printable(limit: SensorDescription.longestSentence)
    self.retryInNanoseconds = retryInNanoseconds
  }

  /// That something which is done with a sensor does not come to an end.
  ///
  /// - Parameters:
  ///   - what: `setting up bmi160`
  ///   - limit: nanoseconds that it has taken.
  package static func slow(_ what: String, after limit: Int64) -> SensorFailure {
    SensorFailure(
      .noData,
      "\(what) has taken \(limit / 1_000_000_000) s so far: its driver, or the other machine, does not answer"
    )
  }
}
