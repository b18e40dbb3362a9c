import EventLoop
import Glibc
import Linux

/// logind's word before and after a suspend, and the delay that it grants: the sensor is switched off before the
/// machine sleeps (org.freedesktop.login1(5)).
final class Logind {
  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  private let bus: SystemBus
  /// Whether the machine is about to sleep.
  private let sleepDidChange: (Bool) -> Void
  private var service: BusName?
  private var announcements: BusSlot?
  private var request: BusSlot?
  /// As long as it is open the machine does not go to sleep, up to logind's InhibitDelayMaxSec=.
  private var inhibitor: FileDescriptor?
  /// Asked and refused: best effort then.
  private var wasAsked = false
  private var isAsleep = false

  init(_ bus: SystemBus, sleepDidChange: @escaping (Bool) -> Void) throws(SystemError) {
    self.bus = bus
    self.sleepDidChange = sleepDidChange
    announcements = try bus.listen(
      to: "type='signal',sender='\(Self.name)',path='\(Self.path)',interface='\(Self.interface)',"
        + "member='PrepareForSleep'"
    ) { [unowned self] message in
      // Anybody on the bus can send a signal that looks like this.
      guard let owner = service?.owner, message.sender == owner, let sleeps = message.boolean() else {
        return
      }
      announce(sleeps)
    }
    service = try BusName(bus, Self.name) { [unowned self] in
      if service?.owner == nil { announce(false) }
      update()
    }
  }

  /// Whether there is something to switch off before the machine sleeps.
  var delaysSleep = false {
    didSet { if delaysSleep != oldValue { update() } }
  }

  private func announce(_ sleeps: Bool) {
    guard sleeps != isAsleep else { return }
    isAsleep = sleeps
    sleepDidChange(sleeps)
    update()
  }

  /// Asks for the delay, or gives it back.
  private func update() {
    guard delaysSleep else {
      wasAsked = false
      request = nil
      inhibitor = nil
      return
    }
    guard !isAsleep, !wasAsked, service?.owner != nil else { return }
    wasAsked = true
    let words = ["sleep", "parallaxd", "The gyroscope is switched off first", "delay"]
    request = try? bus.call("Inhibit", of: Self.interface, at: Self.path, on: Self.name, words) {
      [unowned self] message in
      guard delaysSleep, !message.isError else { return }
      inhibitor = message.descriptor().map { FileDescriptor(owning: $0) }
    }
  }
}
