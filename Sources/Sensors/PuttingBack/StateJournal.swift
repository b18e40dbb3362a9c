import Glibc
import Linux

/// Writes down what is about to be changed on a device, so that it can be put back after a crash.
///
/// The worker's. Where the file cannot be begun or written the daemon goes on without: `trouble` says so.
final class StateJournal {
  private let place: StatePlace
  private let device: StateRecord.Device
  private var file: StateFile?
  /// Half a line may be in the file: nothing can follow it.
  private var hasFailed = false
  /// Why nothing, or nothing more, is written down: a warning, one sentence for people.
  private(set) var trouble: String?

  init(_ place: StatePlace, _ device: StateRecord.Device) {
    self.place = place
    self.device = device
  }

  /// To be called before the change is made.
  func append(_ step: StateRecord.Step) {
    guard !hasFailed else { return }
    guard step.isAllowed else {
      // Read back, it would make the whole journal void.
      let line = StateRecord.line(of: step).dropLast().prefix(Self.longestQuote)
      return warn("what is changed is no text of a driver's: \(line)")
    }
    do throws(SystemError) {
      if file == nil { file = try create() }
      try file?.append(StateRecord.line(of: step))
    } catch {
      hasFailed = true
      warn("\(error)")
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
    hasFailed = false
    trouble = nil
  }

  private static let longestQuote = 80

  private func warn(_ cause: String) {
    guard trouble == nil else { return }
    trouble = "after a crash not all of the sensor's settings will be put back (\(cause))"
  }

  private func create() throws(SystemError) -> StateFile {
    let path = StateFile.path(of: device, in: place.directory)
    let file = try StateFile(path: path, creating: true)
    // What an earlier run has left, and could not be put back, is not forgotten.
    guard try file.read().isEmpty else {
      throw SystemError(code: EEXIST, operation: "begin \(path), where an earlier run's changes stand")
    }
    try file.append(StateRecord(boot: place.boot, device: device).head)
    return file
  }
}
