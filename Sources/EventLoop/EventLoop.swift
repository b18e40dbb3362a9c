import CLinux
import CSystemd
import Glibc
import Linux

/// The daemon's one event loop: sd-event with owners.
///
/// A source lives as long as its object is kept; dropping it takes it out of the loop, also from within
/// its own handler. Everything here belongs to the thread that runs the loop. In a steady state neither
/// a dispatch nor arming a timer allocates.
package final class EventLoop {
  let handle: OpaquePointer

  package init() throws(SystemError) {
    var event: OpaquePointer?
    let result = sd_event_new(&event)
    guard result >= 0, let event else {
      throw SystemError(code: -result, operation: "create the event loop")
    }
    handle = event
  }

  deinit { sd_event_unref(handle) }

  /// Runs until `exit(code:)`; the code.
  package func run() throws(SystemError) -> Int32 {
    let result = sd_event_loop(handle)
    guard result >= 0 else { throw SystemError(code: -result, operation: "run the event loop") }
    return result
  }

  /// Runs one handler that is due, waiting for it at most `nanoseconds`; whether there was one. For tests,
  /// which look between the turns.
  package func turn(waitingNanoseconds nanoseconds: Int64 = 0) throws(SystemError) -> Bool {
    let result = sd_event_run(handle, UInt64(max(0, nanoseconds) / 1000))
    guard result >= 0 else { throw SystemError(code: -result, operation: "turn the event loop") }
    return result > 0
  }

  /// Ends `run()` after the handler in progress.
  package func exit(code: Int32) { sd_event_exit(handle, code) }
}

/// Lower numbers are dispatched first.
package enum Priority: Int64 {
  /// Scans: nothing comes before them.
  case sensor = -10
  case normal = 0
  /// New connections, a replay at full speed: when nothing else waits.
  case background = 10
}

/// What every source does with its sd-event handle.
package class EventSource {
  fileprivate var source: OpaquePointer?

  fileprivate init() {}

  fileprivate func adopt(_ source: OpaquePointer?, _ result: Int32, _ operation: String, _ priority: Priority)
    throws(SystemError)
  {
    guard result >= 0, let source else { throw SystemError(code: -result, operation: operation) }
    self.source = source
    sd_event_source_set_priority(source, priority.rawValue)
  }

  /// Takes the source out of the loop for good; its handler runs no more.
  package func cancel() {
    if let source { sd_event_source_disable_unref(source) }
    source = nil
  }

  deinit { if let source { sd_event_source_disable_unref(source) } }
}

/// A descriptor that is watched; level-triggered.
package final class IOSource: EventSource {
  /// EPOLLIN, EPOLLOUT, EPOLLHUP, EPOLLERR as in epoll_ctl(2).
  package struct Events: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let readable = Events(rawValue: EPOLLIN.rawValue)
    package static let writable = Events(rawValue: EPOLLOUT.rawValue)
    /// Always reported, asked for or not.
    package static let hangUp = Events(rawValue: EPOLLHUP.rawValue)
    /// Always reported, asked for or not.
    package static let error = Events(rawValue: EPOLLERR.rawValue)
    /// Reported when it becomes so, not for as long as it is so; for all events of the source.
    package static let edgeTriggered = Events(rawValue: EPOLLET.rawValue)
  }

  private let handler: (Events) -> Void

  /// What is asked for; hang-up and error are reported in any case, also with an empty set.
  package var events: Events {
    didSet {
      guard events != oldValue, let source else { return }
      sd_event_source_set_io_events(source, events.rawValue)
    }
  }

  /// Watches `descriptor`, which the caller keeps open for as long as this source lives.
  package init(
    _ loop: EventLoop, descriptor: Int32, events: Events, priority: Priority = .normal,
    handler: @escaping (Events) -> Void
  ) throws(SystemError) {
    self.handler = handler
    self.events = events
    super.init()
    var source: OpaquePointer?
    let result = sd_event_add_io(
      loop.handle, &source, descriptor, events.rawValue,
      { _, _, revents, context in
        guard let context else { return 0 }
        let source = Unmanaged<IOSource>.fromOpaque(context).takeUnretainedValue()
        source.handler(Events(rawValue: revents))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    try adopt(source, result, "watch descriptor \(descriptor)", priority)
  }
}

/// A one-shot timer on CLOCK_MONOTONIC; made disarmed.
package final class TimerSource: EventSource {
  private let handler: () -> Void

  package init(_ loop: EventLoop, priority: Priority = .normal, handler: @escaping () -> Void)
    throws(SystemError)
  {
    self.handler = handler
    super.init()
    var source: OpaquePointer?
    let result = sd_event_add_time(
      loop.handle, &source, CLOCK_MONOTONIC, UInt64.max, 1,
      { _, _, context in
        guard let context else { return 0 }
        Unmanaged<TimerSource>.fromOpaque(context).takeUnretainedValue().handler()
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    try adopt(source, result, "make a timer", priority)
    disarm()
  }

  /// Fires once at `nanoseconds` of CLOCK_MONOTONIC (rounded up to the microsecond), at once when past.
  package func arm(atMonotonicNanoseconds nanoseconds: Int64) {
    guard let source else { return }
    sd_event_source_set_time(source, UInt64(max(0, nanoseconds) + 999) / 1000)
    sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
  }

  /// Fires once, `nanoseconds` from now.
  package func arm(afterNanoseconds nanoseconds: Int64) {
    arm(atMonotonicNanoseconds: MonotonicClock.nanoseconds + nanoseconds)
  }

  /// Does not fire until armed again; wakes nobody.
  package func disarm() {
    guard let source else { return }
    sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
  }
}

/// A signal that has been blocked in every thread, delivered in the loop.
package final class SignalSource: EventSource {
  private let handler: () -> Void

  package init(_ loop: EventLoop, signal: Int32, handler: @escaping () -> Void) throws(SystemError) {
    self.handler = handler
    super.init()
    var source: OpaquePointer?
    let result = sd_event_add_signal(
      loop.handle, &source, signal,
      { _, _, context in
        guard let context else { return 0 }
        Unmanaged<SignalSource>.fromOpaque(context).takeUnretainedValue().handler()
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    try adopt(source, result, "watch signal \(signal)", .normal)
  }
}

/// Work that runs in the loop as long as it is enabled, after everything else that waits: a replay at
/// full speed gives way to sockets and signals between its steps.
package final class IdleWorkSource: EventSource {
  private let handler: () -> Void

  /// Made disabled.
  package init(_ loop: EventLoop, handler: @escaping () -> Void) throws(SystemError) {
    self.handler = handler
    super.init()
    var source: OpaquePointer?
    let result = sd_event_add_defer(
      loop.handle, &source,
      { _, context in
        guard let context else { return 0 }
        Unmanaged<IdleWorkSource>.fromOpaque(context).takeUnretainedValue().handler()
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    try adopt(source, result, "add work to the loop", .background)
    isEnabled = false
  }

  /// Whether the handler runs again and again.
  package var isEnabled = false {
    didSet {
      guard let source else { return }
      let mode = isEnabled ? SD_EVENT_ON : SD_EVENT_OFF
      sd_event_source_set_enabled(source, Int32(mode))
    }
  }
}
