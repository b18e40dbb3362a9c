import Glibc
import Linux

/// Writes down what is about to be changed on a device, so that it can be put back after a crash.
///
/// The worker's. Where the file cannot be written the daemon goes on without: `trouble` says so.
final class StateJournal {
  private let place: StatePlace
  private let device: StateRecord.Device
  private var file: StateFile?
  /// Why nothing is written down, one sentence for people.
  private(set) var trouble: String?

  init(_ place: StatePlace, _ device: StateRecord.Device) {
    self.place = place
    self.device = device
  }

  /// To be called before the change is made.
  func append(_ step: StateRecord.Step) {
    guard trouble == nil, step.isAllowed else { return }
    do throws(SystemError) {
      if file == nil { file = try create() }
      try file?.append(StateRecord.line(of: step))
    } catch {
      trouble = "after a crash the sensor's settings will not be put back (\(error))"
    }
  }

  /// Everything is as it was.
  func clear() {
    file?.remove()
    release()
  }

  /// Leaves the file to whoever can put things back.
  func release() {
    file = nil
    trouble = nil
  }

  private func create() throws(SystemError) -> StateFile {
    let path = StateFile.path(of: device, in: place.directory)
    let file = try StateFile(path: path, creating: true)
    // What an earlier run has left, and could not be put back, is not forgotten.
    guard try file.read().isEmpty else { throw SystemError(code: EEXIST, operation: "begin \(path)") }
    try file.append(StateRecord(boot: place.boot, device: device).head)
    return file
  }
}
