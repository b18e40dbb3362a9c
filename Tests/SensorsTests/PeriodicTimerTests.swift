import Glibc
import Linux
import Testing

@testable import Sensors

@Suite struct PeriodicTimerTests {
  /// Whoever waits for the first time of a timer of a minute does not wait for a minute; but for another descriptor, if
  /// that is first.
  @Test func theFirstTimeMayBeNow() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let reading = FileDescriptor(owning: ends[0])
    let writing = FileDescriptor(owning: ends[1])
    let start = MonotonicClock.nanoseconds
    let timer = try PeriodicTimer(nanoseconds: 60_000_000_000, startsAtOnce: true)
    let isTime = timer.wait(orReadable: reading.number)
    try #require(write(writing.number, "x", 1) == 1)
    let isTimeAgain = timer.wait(orReadable: reading.number)
    #expect(isTime && !isTimeAgain)
    #expect(MonotonicClock.nanoseconds - start < 30_000_000_000)
  }
}
