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

  private func reading(of accelerometer: Accelerometer, _ configuration: IIOConfiguration)
    throws(SensorFailure) -> AccelerationReading
  {
    var warnings: [String] = []
    let reading = try accelerometer.reading(
      configuredMatrix: configuration.sensor.mountMatrix, gyroscopeMatrix: description.model.mountMatrix,
      warnings: &warnings)
    warn(warnings)
    return reading
  }
}
