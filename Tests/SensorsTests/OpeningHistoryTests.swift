import Testing

@testable import Sensors

@Suite struct OpeningHistoryTests {
  @Test func aWayIsSilentAfterTwoOpenings() {
    var history = OpeningHistory()
    history.wasSilent(.own)
    #expect(history.silentWays.isEmpty)
    history.wasSilent(.own)
    history.wasSilent(.hrtimer)
    #expect(history.silentWays == [.own])
    history.hasSpoken()
    history.wasSilent(.hrtimer)
    #expect(history.silentWays == [.own])
  }

  /// An opening that failed, as where no device is there yet, costs no way its second opening.
  @Test func aNewBeginningGivesTwoOpeningsAgain() {
    var history = OpeningHistory()
    history.forgetSilence(openings: 1)
    history.wasSilent(.own)
    #expect(history.silentWays == [.own])
    history.forgetSilence()
    history.wasSilent(.own)
    #expect(history.silentWays.isEmpty)
  }

  @Test func aSecondSpellOfWrongStampsIsNotForgotten() {
    var history = OpeningHistory()
    history.distrustStamps(of: "one")
    history.sleep()
    #expect(history.wrongStampsOf == nil)
    history.distrustStamps(of: "one")
    history.sleep()
    #expect(history.wrongStampsOf == "one")
  }
}
