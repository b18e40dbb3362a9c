import EventLoop
import Linux

// A local buffer that is emptied by a timer, as long as every subscriber is patient.
extension IIOSource {
  package func audienceDidChange(minIntervalNanoseconds interval: Int64) {
    guard interval != audienceInterval else { return }
    audienceInterval = interval
    updateDraining()
  }

  /// Watches the descriptor, or leaves it to the timer.
  func updateDraining() {
    guard let reader, let scans else { return stopDraining() }
    let period = DrainPeriod.nanoseconds(
      interval: audienceInterval, frequency: description.frequencySet,
      stampsAreMonotonic: reader.pointee.stampsAreMonotonic)
    guard period != drainPeriod else { return }
    drainPeriod = period
    scans.events = period > 0 ? [] : .readable
    if period > 0 { drain?.arm(afterNanoseconds: period) } else { drain?.disarm() }
  }

  func stopDraining() {
    drainPeriod = 0
    drain?.disarm()
  }

  /// The timer's: takes all that has come meanwhile.
  func drainBuffer() {
    let start = MonotonicClock.nanoseconds
    while drainPeriod > 0, let received = readScans(), received == ScanReader.capacity {}
    // The delegate may have stopped it, or the device be gone.
    if drainPeriod > 0 { drain?.arm(atMonotonicNanoseconds: start + drainPeriod) }
  }
}
