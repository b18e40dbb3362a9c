import EventLoop
import Linux

// Scans in portions, where everybody can wait.
extension IIOSource {
  /// Each scan wakes the loop, until it rests again.
  func wakeForEachScan() {
    draining?.disarm()
    scans?.events = .readable
  }

  /// After scans have come: until the next portion none wakes the loop, where there is time for that.
  func rest() {
    guard scans?.events == .readable, let restLength else { return }
    scans?.events = []
    draining?.arm(afterNanoseconds: restLength)
  }

  /// Nanoseconds until the kernel's buffer is to be emptied, by what is known just now; nil where the next scan is to
  /// wake the loop, as the first ones of a sensor do: its spacing is not known then.
  private var restLength: Int64? {
    guard drainPlan.patience > 0, let reader, reader.pointee.hasStampsOfOurClock,
      let spacing = reader.pointee.observedSpacing.nanoseconds
    else { return nil }
    return drainPlan.rest(
      from: MonotonicClock.nanoseconds, spacing: spacing, capacity: reader.pointee.kernelScans)
  }

  /// Takes all that has come meanwhile.
  func emptyBuffer() {
    while let count = readScans(wakesAgain: false), count == ScanReader.capacity {}
    // The delegate may have stopped it, or have become impatient.
    guard let scans, scans.events == [] else { return }
    if let restLength { draining?.arm(afterNanoseconds: restLength) } else { scans.events = .readable }
  }
}
