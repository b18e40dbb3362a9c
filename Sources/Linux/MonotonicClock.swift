import CLinux

/// The clock of the machine that stands still in a suspend; read by the live layers, never by `Motion`.
package enum MonotonicClock {
  /// CLOCK_MONOTONIC, nanoseconds.
  package static var nanoseconds: Int64 { clinux_monotonic_nanoseconds() }
}
