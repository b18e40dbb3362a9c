import EventLoop
import Linux

// Scans in portions, where everybody can wait.
extension IIOSource {
  func planDraining() {
    drainInterval = nil
    draining?.disarm()
    scans?.events = .readable
    guard let reader, reader.pointee.hasStampsOfOurClock else { return }
    drainInterval = DrainInterval.nanoseconds(
      patience: patienceNanoseconds, spacing: reader.pointee.spacing, capacity: reader.pointee.kernelScans)
  }

  /// After scans have come, the first ones of a sensor too: until the next portion none wakes the loop.
  func rest() {
    guard let drainInterval, scans?.events == .readable else { return }
    scans?.events = []
    draining?.arm(afterNanoseconds: drainInterval)
  }

  /// Takes all that has come meanwhile.
  func emptyBuffer() {
    var received = 0
    repeat {
      guard let count = readScans() else { return }
      received += count
      if count < ScanReader.capacity { break }
    } while drainInterval != nil
    // The delegate may have stopped it, or have become impatient.
    guard let drainInterval, let reader else { return }
    if DrainInterval.isTooFull(received: received, capacity: reader.pointee.kernelScans) {
      self.drainInterval = nil
      scans?.events = .readable
    } else {
      draining?.arm(afterNanoseconds: drainInterval)
    }
  }
}
