import CLinux
import CSystemd
import Glibc
import Linux

/// A connection to the system's D-Bus that never waits: what is asked for is answered in the loop.
///
/// `DBUS_SYSTEM_BUS_ADDRESS` names another bus. A connection that is lost stays lost.
package final class SystemBus {
  let handle: OpaquePointer
  private let lost: () -> Void
  private var disconnected: BusSlot?

  /// Begins to connect.
  ///
  /// - Parameter lost: called when the connection ends, also when it never came about.
  package init(_ loop: EventLoop, lost: @escaping () -> Void) throws(SystemError) {
    var made: OpaquePointer?
    let result = sd_bus_open_system(&made)
    guard result >= 0, let made else { throw SystemError(code: -result, operation: "connect to D-Bus") }
    handle = made
    self.lost = lost
    let attached = sd_bus_attach_event(made, loop.handle, Int32(Priority.normal.rawValue))
    guard attached >= 0 else { throw SystemError(code: -attached, operation: "listen to D-Bus") }
    disconnected = try listen(
      to: "type='signal',path='/org/freedesktop/DBus/Local',"
        + "interface='org.freedesktop.DBus.Local',member='Disconnected'"
    ) { [unowned self] _ in self.lost() }
  }

  deinit {
    disconnected = nil
    sd_bus_detach_event(handle)
    sd_bus_close_unref(handle)
  }

  /// Hears the messages that a rule names (the D-Bus specification's match rules) as long as what is returned
  /// is kept. Who has sent one is the caller's to check: the rule's `sender` is not.
  package func listen(to rule: String, handler: @escaping (BusMessage) -> Void) throws(SystemError) -> BusSlot
  {
    let slot = BusSlot(handler)
    var made: OpaquePointer?
    let result = sd_bus_add_match_async(
      handle, &made, rule, BusSlot.deliver,
      // Without an answer of its own, libsystemd takes a refusal for the end of the connection.
      { _, _, _ in 0 }, slot.context)
    guard result >= 0 else { throw SystemError(code: -result, operation: "listen to D-Bus") }
    slot.slot = made
    return slot
  }

  /// Calls a method with words as its arguments; the answer, or the error, comes as long as what is returned is
  /// kept.
  package func call(
    _ member: String, of interface: String, at path: String, on destination: String, _ words: [String] = [],
    answered: @escaping (BusMessage) -> Void
  ) throws(SystemError) -> BusSlot {
    let operation = "call \(interface).\(member)"
    var message: OpaquePointer?
    var result = sd_bus_message_new_method_call(handle, &message, destination, path, interface, member)
    guard result >= 0, let message else { throw SystemError(code: -result, operation: operation) }
    defer { sd_bus_message_unref(message) }
    for word in words {
      result = word.withCString { sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0) }
      guard result >= 0 else { throw SystemError(code: -result, operation: operation) }
    }
    let slot = BusSlot(answered)
    var made: OpaquePointer?
    result = sd_bus_call_async(handle, &made, message, BusSlot.deliver, slot.context, 0)
    guard result >= 0 else { throw SystemError(code: -result, operation: operation) }
    slot.slot = made
    return slot
  }
}

/// What is waited for on a bus; dropping it ends the waiting, also from within its own handler.
package final class BusSlot {
  fileprivate var slot: OpaquePointer?
  private let handler: (BusMessage) -> Void

  fileprivate init(_ handler: @escaping (BusMessage) -> Void) { self.handler = handler }

  deinit { sd_bus_slot_unref(slot) }

  fileprivate var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  fileprivate static let deliver: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let context else { return 0 }
    Unmanaged<BusSlot>.fromOpaque(context).takeUnretainedValue().handler(BusMessage(handle: message))
    return 0
  }
}

/// A message that has come; valid in the handler that it is given to. Its values are read in their order, nil
/// where the next is of another type.
package struct BusMessage {
  fileprivate let handle: OpaquePointer

  package var isError: Bool { sd_bus_message_is_method_error(handle, nil) > 0 }

  /// The unique name of who has sent it, as the bus says: nobody can have it say another.
  package var sender: String? { sd_bus_message_get_sender(handle).map { String(cString: $0) } }

  package func boolean() -> Bool? {
    var value: Int32 = 0
    return sd_bus_message_read_basic(handle, CChar(UInt8(ascii: "b")), &value) > 0 ? value != 0 : nil
  }

  package func text() -> String? {
    var value: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(handle, CChar(UInt8(ascii: "s")), &value) > 0, let value else {
      return nil
    }
    return String(cString: value)
  }

  /// The number of a descriptor of one's own, which the caller is to close.
  package func descriptor() -> Int32? {
    var value: Int32 = -1
    guard sd_bus_message_read_basic(handle, CChar(UInt8(ascii: "h")), &value) > 0 else { return nil }
    // The message's own goes with it.
    let own = clinux_duplicate(value)
    return own >= 0 ? own : nil
  }
}

/// Who has a name on the bus, from the first answer on.
package final class BusName {
  /// The owner's unique name; nil: nobody has it, as far as is known.
  package private(set) var owner: String?

  private let changed: () -> Void
  private var changes: BusSlot?
  private var answer: BusSlot?

  /// - Parameter changed: called whenever `owner` is another.
  package init(_ bus: SystemBus, _ name: String, changed: @escaping () -> Void) throws(SystemError) {
    self.changed = changed
    let daemon = "org.freedesktop.DBus"
    changes = try bus.listen(
      to: "type='signal',sender='\(daemon)',interface='\(daemon)',member='NameOwnerChanged',arg0='\(name)'"
    ) { [unowned self] message in
      guard message.sender == daemon, message.text() == name, message.text() != nil else { return }
      adopt(message.text())
    }
    answer = try bus.call("GetNameOwner", of: daemon, at: "/org/freedesktop/DBus", on: daemon, [name]) {
      [unowned self] message in
      // The error says that nobody has it.
      if !message.isError { adopt(message.text()) }
    }
  }

  private func adopt(_ name: String?) {
    let owner = name.flatMap { $0.isEmpty ? nil : $0 }
    guard owner != self.owner else { return }
    self.owner = owner
    changed()
  }
}
