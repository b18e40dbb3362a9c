import EventLoop
import Sensors
import Settings

// Some sensors are dead after a suspend unless they are set up anew, and CLOCK_MONOTONIC stands still in it: the
// sensor is switched off before and a new stream begins after. A recording does not mind.
extension Daemon {
  /// logind has announced a suspend, or its end.
  func sleepDidChange(_ sleeps: Bool) {
    guard sleeps != lifecycle.isSuspended else { return }
    guard configuration.settings.sensor.backend == .iio || !sleeps else { return }
    // What this one would see has been told already.
    sleepWatch = nil
    lifecycle.isSuspended = sleeps
    lifecycleDidChange()
  }

  /// As the sensor is switched on and off: asks for the delay before a suspend, and looks for one that nobody
  /// announces. Nothing is watched while the sensor sleeps.
  func watchForSleep() {
    let isOn =
      configuration.settings.sensor.backend == .iio && (lifecycle.source != .off || retiring != nil)
    logind?.delaysSleep = isOn
    guard isOn || lifecycle.isSuspended else {
      sleepWatch = nil
      return
    }
    guard sleepWatch == nil else { return }
    sleepWatch = try? SleepWatch(loop) { [unowned self] in machineDidResume() }
  }

  /// The machine has slept. Without logind's word the sensor was on meanwhile.
  private func machineDidResume() {
    if !lifecycle.isSuspended { sleepDidChange(true) }
    sleepDidChange(false)
  }
}
