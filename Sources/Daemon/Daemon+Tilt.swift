import Motion
import Sensors
import Settings

// What the tilt is made of, and for whom an accelerometer is read.
extension Daemon {
  /// Before the sensor is started for who has come: it is then opened once.
  func tellSourceOfTilt() {
    source.wantsAcceleration = server.audience.tilts > 0 && tiltSettings.usesAccelerometer
  }

  private var tiltSettings: TiltSettings { configuration.settings.motion.tilt }

  /// For the status.
  var tiltText: String {
    guard lifecycle.source == .running, stage.pipeline.tiltUsesGravity else {
      return "gyroscope (\(reasonWithoutGravity))"
    }
    let sensor = source.description
    guard let name = sensor.accelerometer, let way = sensor.accelerationWay else {
      return "gyroscope and accelerometer (the recording's)"
    }
    return "gyroscope and accelerometer \(name) (\(way))"
  }

  private var reasonWithoutGravity: String {
    guard tiltSettings.usesAccelerometer else { return "tilt.accelerometer is false" }
    if stage.pipeline.isMirrored { return "its axes are mirrored, which accelerations cannot follow" }
    if configuration.settings.sensor.backend == .demo { return "the demonstration has no accelerometer" }
    let sensor = source.description
    if configuration.settings.sensor.backend == .replay {
      guard sensor.recordingHasAcceleration else { return "the recording has no accelerations" }
      return unusable(of: "the recording") ?? "no acceleration has come yet"
    }
    if let trouble = sensor.accelerationTrouble { return trouble }
    if sensor.mode != nil, sensor.accelerometer == nil { return "there is no accelerometer beside it" }
    if server.audience.tilts == 0 { return "nobody asks for tilt" }
    return unusable(of: sensor.accelerometer ?? "the accelerometer") ?? "no acceleration has come yet"
  }

  /// What is wrong with accelerations that come, and are of no use.
  private func unusable(of source: String) -> String? {
    if stage.pipeline.accelerationIsStuck {
      return "the accelerations of \(source) stay the same while the device turns"
    }
    guard let size = stage.pipeline.unusableAcceleration else { return nil }
    let shown = size < 1e6 ? (size * 1000).rounded() / 1000 : size
    return "the accelerations of \(source) are no gravity: \(shown) m/s², of which 1 to 100 can be used"
  }
}
