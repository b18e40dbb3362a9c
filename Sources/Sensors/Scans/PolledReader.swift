import IIO
import Linux
import Motion

/// Reads the raw values of a gyroscope that has no buffer, or whose buffer may not be used. The worker's.
struct PolledReader {
  let gyroscope: Gyroscope
  var intake: ScanIntake

  /// One reading. The axes are read one after another; the time is the middle.
  func read() throws(IIOError) -> RawSample {
    let start = MonotonicClock.nanoseconds
    let x = try gyroscope.axes[0].rawValue()
    let y = try gyroscope.axes[1].rawValue()
    let z = try gyroscope.axes[2].rawValue()
    let end = MonotonicClock.nanoseconds
    return RawSample(timestampNanoseconds: start + (end - start) / 2, raw: Vector3(x, y, z))
  }
}
