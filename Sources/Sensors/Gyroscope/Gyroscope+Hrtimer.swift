import Glibc
import IIO

// A timer's trigger for a device that has none of its own, or none that works.
extension Gyroscope {
  /// How long the kernel and udev may take to show a trigger and to hand its frequency over.
  private static let patienceMilliseconds = 2000

  /// Makes the trigger and sets it; what starts the scans, for people.
  func makeTrigger(_ starts: ScanStarts, undo: inout Undo) throws(SensorFailure) -> String {
    let trigger = HrtimerTrigger(deviceID: device.id)
    if let obstacle = HrtimerTrigger.obstacle {
      throw noTrigger(Self.text(of: obstacle), obstacle == .noRight)
    }
    // One that a crash left is not set again, and goes with the rest.
    undo.keepMade(trigger)
    keepTrigger(starts, undo: &undo)
    do throws(IIOError) {
      try trigger.make()
      guard Self.wait(for: { trigger.frequencyPath != nil }) else {
        throw IIOError(code: ENODEV, operation: "find the trigger \(trigger.name)")
      }
      try device.setTrigger(named: trigger.name)
    } catch {
      throw noTrigger("an hrtimer trigger cannot be made (\(error))", error.isPermission)
    }
    return "the hrtimer trigger \(trigger.name), made here"
  }

  private func noTrigger(_ reason: String, _ isPermission: Bool) -> SensorFailure {
    SensorFailure(
      isPermission ? .permission : .configuration,
      "\(title) has no trigger that would start its scans, and \(reason)")
  }

  /// Why none can be made, and what mends it.
  static func text(of obstacle: HrtimerTrigger.Obstacle) -> String {
    switch obstacle {
    case .noConfigfs:
      "none can be made: configfs is not mounted at /sys/kernel/config (`modprobe iio-trig-hrtimer`, then "
        + "`mount -t configfs none /sys/kernel/config`)"
    case .noModule:
      "none can be made: \(HrtimerTrigger.folder) is absent (`modprobe iio-trig-hrtimer`)"
    case .noRight:
      "none can be made: no right to make a folder in \(HrtimerTrigger.folder) (the unit hands it to the "
        + "group parallax-sensor when it starts; `systemctl restart parallaxd`, or run as root)"
    }
  }

  /// Has the timer fire as often as asked, but not more often than the device takes a sample.
  ///
  /// - Parameter own: what the device's own frequency was set to, Hz.
  /// - Returns: Hz, as the trigger says afterwards.
  func setTimer(asked: Double, own: Double?, why: inout [String]) -> Double? {
    let trigger = HrtimerTrigger(deviceID: device.id)
    if !Self.wait(for: { trigger.mayBeSet }) {
      why.append(
        "no right to set the frequency of the trigger \(trigger.name): the udev rule of `make install` hands it "
          + "to the group parallax-sensor")
    }
    let setting = FrequencySetting.set(
      asked: own.map { min($0, asked) } ?? asked, available: nil, read: trigger.readFrequency,
      write: trigger.writeFrequency)
    why += setting.notes
    return setting.hertz
  }

  /// Looks again and again, with an end to it.
  private static func wait(for condition: () -> Bool) -> Bool {
    let step = 10
    for _ in 0..<(patienceMilliseconds / step) {
      if condition() { return true }
      usleep(UInt32(step * 1000))
    }
    return condition()
  }
}
