import CLinux
import CSystemd
import EventLoop
import Glibc
import Linux

/// What the daemon tells systemd (sd_notify(3)); nothing where no service manager listens.
final class ServiceManager {
  private let watchdogMicroseconds: UInt64
  private var watchdog: TimerSource?
  private var watchdogRuns = false

  init(_ loop: EventLoop) throws(SystemError) {
    var microseconds: UInt64 = 0
    watchdogMicroseconds = sd_watchdog_enabled(0, &microseconds) > 0 ? microseconds : 0
    guard watchdogMicroseconds > 0 else { return }
    watchdog = try TimerSource(loop) { [unowned self] in ping() }
    watchdogRuns = true
    ping()
  }

  func ready(status: String) { notify("READY=1\nSTATUS=\(status.printable())") }
  /// The text may have names of devices in it; a line break would begin another field.
  func status(_ text: String) { notify("STATUS=\(text.printable())") }
  func reloading() {
    notify("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.nanoseconds / 1000)")
  }
  func stopping() { notify("STOPPING=1\nSTATUS=Giving the sensor back") }

  /// A ping is a wake-up: where the daemon sleeps, nobody watches it.
  func setWatchdog(running: Bool) {
    guard watchdogMicroseconds > 0, running != watchdogRuns else { return }
    watchdogRuns = running
    if running {
      notify("WATCHDOG_USEC=\(watchdogMicroseconds)")
      ping()
    } else {
      watchdog?.disarm()
      notify("WATCHDOG_USEC=0")
    }
  }

  private func ping() {
    notify("WATCHDOG=1")
    watchdog?.arm(afterNanoseconds: Int64(watchdogMicroseconds) * 1000 / 2)
  }

  private func notify(_ message: String) { sd_notify(0, message) }
}
