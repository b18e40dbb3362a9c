/// What is remembered of a sensor from one opening to the next, since that decides how it is opened.
package struct OpeningHistory: Equatable, Sendable {
  /// How often it has stood still, and at what.
  package var stalls = StallDetector.History()
  /// Ways to read the buffer that gave no scan, not even after a reset and another opening.
  private(set) var silentWays: [ScanStart] = []
  /// Which device (`SensorDescription.key`) it is whose stamps are none (see `StampCheck`).
  private(set) var wrongStampsOf: String?

  /// How often in a row the buffer was opened in one way and gave no scan.
  private var silentOpenings = 0
  private static let usualMost = 2
  /// How often it may.
  private var mostSilentOpenings = Self.usualMost
  private var spellsOfWrongStamps = 0

  package init() {}

  /// The buffer was opened in this way, and said nothing.
  mutating func wasSilent(_ way: ScanStart?) {
    silentOpenings += 1
    guard silentOpenings >= mostSilentOpenings, let way else { return }
    silentOpenings = 0
    if !silentWays.contains(way) { silentWays.append(way) }
  }

  /// Scans come by the buffer.
  mutating func hasSpoken() { silentOpenings = 0 }

  /// Each way is tried again.
  ///
  /// - Parameter openings: how often, before it counts as silent.
  mutating func forgetSilence(openings: Int = usualMost) {
    silentWays = []
    silentOpenings = 0
    mostSilentOpenings = openings
  }

  mutating func distrustStamps(of key: String?) {
    wrongStampsOf = key
    spellsOfWrongStamps += 1
  }

  /// The sensor was not wanted for a while. It may have been a bad moment of its stamps, but not twice.
  mutating func sleep() {
    stalls = StallDetector.History()
    forgetSilence()
    if spellsOfWrongStamps < 2 { wrongStampsOf = nil }
  }
}
