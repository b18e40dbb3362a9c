import IIO
import Motion

// What the accelerometer beside the gyroscope says, where somebody wants it.
extension SensorSession {
  /// The accelerometer's part in the scans; nil where it has none, or is not wanted. Its own attributes are read, which
  /// may block for seconds.
  func scannedAccelerometer(_ configuration: IIOConfiguration) -> Gyroscope.ScannedAccelerometer? {
    guard configuration.wantsAcceleration, let accelerometer, accelerometer.isOwn else { return nil }
    guard let elements = accelerometer.scanElements() else {
      describeAcceleration(trouble: "the accelerations of \(accelerometer.title) are in no scans")
      return nil
    }
    do throws(SensorFailure) {
      let reading = try reading(of: accelerometer, configuration)
      return Gyroscope.ScannedAccelerometer(
        accelerometer: accelerometer, elements: elements, reading: reading)
    } catch {
      describeAcceleration(trouble: error.text)
      return nil
    }
  }

  /// To be read one by one; nil where its values are in the scans, or there is none.
  ///
  /// - Throws: why it cannot be.
  func polledAccelerometer(_ configuration: IIOConfiguration) throws(SensorFailure) -> AccelerationPolling? {
    guard let accelerometer, !(accelerometer.isOwn && description.mode == "buffer") else { return nil }
    guard accelerometer.device.isLocal else {
      throw SensorFailure(.configuration, "\(accelerometer.title) is another machine's, and in no scans")
    }
    guard accelerometer.canBePolled else {
      throw SensorFailure(.configuration, "\(accelerometer.title) has no raw values")
    }
    return AccelerationPolling(
      PolledAccelerometer(
        accelerometer: accelerometer, reading: try reading(of: accelerometer, configuration)))
  }

  private func reading(of accelerometer: Accelerometer, _ configuration: IIOConfiguration)
    throws(SensorFailure) -> AccelerationReading
  {
    try accelerometer.reading(
      configuredMatrix: configuration.sensor.mountMatrix, gyroscopeMatrix: description.model.mountMatrix)
  }
}
