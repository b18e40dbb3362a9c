/// What is remembered of a sensor from one opening to the next, since that decides how it is opened.
package struct OpeningHistory: Equatable, Sendable {
  /// How often it has stood still, and at what.
  package var stalls = StallDetector.History()
  /// How often in a row the buffer was opened and gave no scan, not even after a reset.
  package var silentOpenings = 0
  /// Which device (`SensorDescription.key`) it is whose stamps are none (see `StampCheck`); it is not forgotten when the sensor sleeps.
  package var wrongStampsOf: String?

  package init() {}

  /// Some sensors say nothing by their buffer, though raw reads work.
  var bufferIsSilent: Bool { silentOpenings >= 2 }

  /// The buffer may be tried once before it counts as silent again.
  mutating func allowAnotherOpening() { silentOpenings = 1 }

  /// The sensor was not wanted for a while.
  mutating func sleep() {
    stalls = StallDetector.History()
    silentOpenings = 0
  }
}
