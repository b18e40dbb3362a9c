import CLinux
import Glibc
import Linux

/// How long the machine has slept since it was started, between two bounds: CLOCK_BOOTTIME goes on in a suspend
/// and CLOCK_MONOTONIC does not, but they cannot be read at the same moment. Pure.
package struct SleptTime: Equatable, Sendable {
  private let least: Int64
  private let most: Int64

  /// - Parameters: nanoseconds; `boot` was read between the other two.
  package init(monotonicBefore before: Int64, boot: Int64, monotonicAfter after: Int64) {
    least = boot - after
    most = boot - before
  }

  /// Whether the machine has slept since `earlier`, beyond doubt.
  package func isLonger(than earlier: SleptTime) -> Bool { least > earlier.most }

  static var now: SleptTime {
    let before = MonotonicClock.nanoseconds
    let boot = clinux_boottime_nanoseconds()
    return SleptTime(monotonicBefore: before, boot: boot, monotonicAfter: MonotonicClock.nanoseconds)
  }
}

/// Notices that the machine was suspended, when it goes on. Wakes nobody before.
///
/// The kernel cancels timers of CLOCK_REALTIME that ask for it whenever that clock is set, and it is set at each
/// resume (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET).
package final class SleepWatch {
  private let timer: FileDescriptor
  private var source: IOSource?
  private var slept = SleptTime.now
  private let resumed: () -> Void

  package init(_ loop: EventLoop, resumed: @escaping () -> Void) throws(SystemError) {
    self.resumed = resumed
    timer = FileDescriptor(
      owning: try checked("make a timer") {
        timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
      })
    try arm()
    source = try IOSource(loop, descriptor: timer.number, events: .readable) { [unowned self] _ in
      clockWasSet()
    }
  }

  deinit { source?.cancel() }

  private func arm() throws(SystemError) {
    // As far off as a timer can be.
    var time = itimerspec(
      it_interval: timespec(), it_value: timespec(tv_sec: Int(Int32.max) * 4, tv_nsec: 0))
    // TFD_TIMER_ABSTIME and TFD_TIMER_CANCEL_ON_SET
    try checked("set a timer") { timerfd_settime(timer.number, 1 | 2, &time, nil) }
  }

  private func clockWasSet() {
    var expirations: UInt64 = 0
    // Fails with ECANCELED, which is the news.
    _ = read(timer.number, &expirations, MemoryLayout<UInt64>.size)
    // Where it cannot be armed again it does not fire again either.
    try? arm()
    let now = SleptTime.now
    let hasSlept = now.isLonger(than: slept)
    slept = now
    if hasSlept { resumed() }
  }
}
