import IIO
import Linux
import Motion

/// Reads an accelerometer one value after another, at a modest rate, until it has failed too often. The worker's.
struct AccelerationPolling {
  private let polled: PolledAccelerometer
  private var failures = 0
  private var dueAt: Int64 = 0
  /// Why it is given up.
  private(set) var trouble: String?

  /// How it comes, for people.
  static let way = "its values are read 25 times a second"

  private static let mostFailures = 3

  init(_ polled: PolledAccelerometer) { self.polled = polled }

  /// m/s² in the device frame; nil where none is due yet, or it could not be read.
  mutating func read() -> Vector3? {
    let now = MonotonicClock.nanoseconds
    guard trouble == nil, now >= dueAt else { return nil }
    // A tick of a timer that is a little early is not left out.
    dueAt = now + Accelerometer.pollPeriodNanoseconds * 3 / 4
    do throws(IIOError) {
      let acceleration = try polled.read()
      failures = 0
      return acceleration
    } catch {
      failures += 1
      if failures >= Self.mostFailures { trouble = "\(polled.accelerometer.title) cannot be read (\(error))" }
      return nil
    }
  }
}
