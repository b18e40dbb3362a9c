import Glibc
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
    let x = try value(0)
    let y = try value(1)
    let z = try value(2)
    let end = MonotonicClock.nanoseconds
    return RawSample(timestampNanoseconds: start + (end - start) / 2, raw: Vector3(x, y, z))
  }

  private func value(_ axis: Int) throws(IIOError) -> Double {
    let channel = gyroscope.axes[axis]
    guard let number = AttributeText.number(try channel.read("raw")) else {
      throw IIOError(
        code: EINVAL, operation: "read a number from \(channel.fileName(of: "raw") ?? channel.id)")
    }
    return number
  }
}
