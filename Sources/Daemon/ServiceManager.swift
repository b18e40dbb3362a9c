import CLinux
import CSystemd
import EventLoop
import Glibc
import Handover
import Linux

/// What the daemon tells systemd (in the form of sd_notify(3)); nothing where no service manager listens.
final class ServiceManager: DescriptorKeeper {
  private let watchdogMicroseconds: UInt64
  private var watchdog: TimerSource?
  private var watchdogRuns = false
  private let socket: NotifySocket?
  /// How many descriptors it keeps for the next daemon (FileDescriptorStoreMax=). FDSTORE says so: systemd sets it from
  /// 254 on, the unit before.
  static let descriptorsKept =
    getenv("NOTIFY_SOCKET") == nil ? 0 : getenv("FDSTORE").flatMap { Int(String(cString: $0)) } ?? 0
  var keepsDescriptors: Bool { Self.descriptorsKept > 0 }

  init(_ loop: EventLoop) throws(SystemError) {
    socket = getenv("NOTIFY_SOCKET").flatMap { NotifySocket(loop, at: String(cString: $0)) }
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

  /// Gives it a copy of a descriptor. One that hangs up it drops by itself; that takes watching.
  func keep(_ descriptor: Int32, as name: Handover.Name) {
    let polled = name == .connection ? "" : "\nFDPOLL=0"
    socket?.send("FDSTORE=1\nFDNAME=\(name.rawValue)\(polled)", with: descriptor)
  }

  /// It drops every descriptor of the name.
  func drop(_ name: Handover.Name) { notify("FDSTOREREMOVE=1\nFDNAME=\(name.rawValue)") }

  private func ping() {
    notify("WATCHDOG=1")
    // Twice in the time; the bound is for a time of millennia, which nanoseconds do not hold.
    watchdog?.arm(afterNanoseconds: Int64(min(watchdogMicroseconds, 1 << 50)) * 1000 / 2)
  }

  private func notify(_ message: String) { socket?.send(message) }
}
