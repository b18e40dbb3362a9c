import CLinux
import Glibc
import Linux

/// Times at a fixed distance on CLOCK_MONOTONIC; the kernel counts them, so that none drifts.
struct PeriodicTimer: ~Copyable {
  private let descriptor: FileDescriptor

  /// - Parameter startsAtOnce: whether the first time is now; else it is one period from now.
  init(nanoseconds period: Int64, startsAtOnce: Bool = false) throws(SystemError) {
    let descriptor = FileDescriptor(
      owning: try checked("make a timer") {
        timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
      })
    let interval = timespec(tv_sec: Int(period / 1_000_000_000), tv_nsec: Int(period % 1_000_000_000))
    // 0 would disarm it.
    let first = startsAtOnce ? timespec(tv_sec: 0, tv_nsec: 1) : interval
    var times = itimerspec(it_interval: interval, it_value: first)
    try checked("set a timer") { timerfd_settime(descriptor.number, 0, &times, nil) }
    self.descriptor = descriptor
  }

  /// Sleeps until the next time (true), or until the other descriptor is readable (false).
  func wait(orReadable other: Int32) -> Bool {
    while true {
      var descriptors = (
        pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
      )
      let result = withUnsafeMutableBytes(of: &descriptors) {
        Glibc.poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, -1)
      }
      if result < 0 && errno == EINTR { continue }
      if result < 0 || descriptors.0.revents != 0 { return false }
      var passed: UInt64 = 0
      if read(descriptor.number, &passed, MemoryLayout<UInt64>.size) > 0 { return true }
    }
  }
}
