import IIO
import Motion

/// Which accelerometer is to be read value after value, and what its values are to become.
struct AccelerometerPlace: Equatable, Sendable {
  /// `iio:device1`, and where that is in the tree of the hardware: another device may have the number by now.
  let id: String
  let path: String?
  /// For people.
  let title: String
  /// Whether it is in the gyroscope's own device.
  let isOwn: Bool
  /// Whether it is one of this machine.
  let isLocal: Bool
  let configuredMatrix: Matrix3?
  let gyroscopeMatrix: Matrix3
}

/// Reads an accelerometer one value after another until it has failed too often; with a context of its own, since a
/// libiio object has one owner at a time. The `AccelerometerWorker`'s.
struct AccelerationPolling: ~Copyable {
  private let context: Context
  private let polled: PolledAccelerometer
  private var failures = 0
  /// A sentence each for people.
  let warnings: [String]

  /// How it comes, for people.
  static let way = "its values are read 25 times a second"

  private static let mostFailures = 3

  /// May block for seconds.
  ///
  /// - Throws: why it cannot be read.
  init(_ place: AccelerometerPlace) throws(SensorFailure) {
    guard place.isLocal else {
      throw SensorFailure(.configuration, "\(place.title) is another machine's, and in no scans")
    }
    let context: Context
    do throws(IIOError) { context = try Context(uri: nil) } catch { throw SensorFailure(error, place.title) }
    let device = context.devices.first { $0.id == place.id && $0.systemPath == place.path }
    guard let device, let accelerometer = Accelerometer(device, isOwn: place.isOwn) else {
      throw SensorFailure(.noDevice, "\(place.title) is gone")
    }
    guard accelerometer.canBePolled else {
      throw SensorFailure(.configuration, "\(place.title) has no raw values")
    }
    var warnings: [String] = []
    let reading = try accelerometer.reading(
      configuredMatrix: place.configuredMatrix, gyroscopeMatrix: place.gyroscopeMatrix, warnings: &warnings)
    polled = PolledAccelerometer(accelerometer: accelerometer, reading: reading)
    self.warnings = warnings
    self.context = context
  }

  /// m/s² in the device frame; nil where it could not be read this time.
  ///
  /// - Throws: why it is given up.
  mutating func read() throws(SensorFailure) -> Vector3? {
    do throws(IIOError) {
      let acceleration = try polled.read()
      failures = 0
      return acceleration
    } catch {
      failures += 1
      guard failures >= Self.mostFailures else { return nil }
      throw SensorFailure(.noData, "\(polled.accelerometer.title) cannot be read (\(error))")
    }
  }
}
