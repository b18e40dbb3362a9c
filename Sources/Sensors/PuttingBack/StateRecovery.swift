import Glibc
import IIO
import Linux

/// Puts back what an earlier run of the daemon had changed and could not put back itself: it was killed, or the
/// device was not to be written just then.
enum StateRecovery {
  /// Whether there is a journal of this machine's devices.
  static func isNeeded(_ place: StatePlace) -> Bool {
    let paths = StateFile.paths(in: place.directory)
    // Of more than are looked at, one may be of a device that is there: that is found by its name.
    if paths.count == StateFile.mostFiles { return true }
    return paths.contains { path in
      guard let file = try? StateFile(path: path, creating: false), let bytes = try? file.read() else {
        return false
      }
      // One that cannot be read, and one of an earlier boot, is to be removed.
      guard let record = StateRecord(parsing: bytes) else { return true }
      return record.boot != place.boot || record.device.uri == "local:"
    }
  }

  /// Puts back what can be: of the devices of one machine, those that nobody else reads.
  ///
  /// May block for seconds. What another daemon holds is left alone, and what cannot be put back now is left
  /// for later.
  static func run(_ place: StatePlace, uri: String, _ devices: [Device]) {
    let known = devices.filter { !$0.isTrigger }.map { StateRecord.Device($0, uri: uri) }
    for path in StateFile.paths(in: place.directory, first: known) {
      guard let file = try? StateFile(path: path, creating: false), let bytes = try? file.read() else {
        continue
      }
      guard let record = StateRecord(parsing: bytes), record.boot == place.boot else {
        file.remove()
        continue
      }
      guard record.device.uri == uri, let device = record.device.find(among: devices) else { continue }
      if restore(record, on: device, devices) { file.remove() }
    }
  }

  /// Whether everything is as it was.
  private static func restore(_ record: StateRecord, on device: Device, _ devices: [Device]) -> Bool {
    // Held meanwhile: the kernel lets nobody else in.
    var node: FileDescriptor?
    if device.isLocal {
      do throws(SystemError) {
        node = try FileDescriptor(opening: device.nodePath, flags: O_RDWR | O_NONBLOCK)
      } catch {
        if error.code == EBUSY { return false }
      }
    }
    var isComplete = true
    // A crash leaves it on, and then nothing else can be written.
    if device.isLocal, record.hasBuffer {
      isComplete = isPutBack(.text(Attribute(device, "buffer/enable"), "0"))
    }
    for step in record.steps.reversed() {
      guard let change = change(step, on: device, devices) else { continue }
      isComplete = isPutBack(change) && isComplete
    }
    _ = consume node
    return isComplete
  }

  private static func isPutBack(_ change: Change) -> Bool { (try? change.putBack()) != nil }

  /// What a step tells of; nil where that is not there any more.
  private static func change(_ step: StateRecord.Step, on device: Device, _ devices: [Device]) -> Change? {
    switch step {
    case .device(let attribute, let text): .text(Attribute(device, attribute), text)
    case .channel(let id, let attribute, let text):
      device.inputChannel(id).map { .text(Attribute($0, attribute), text) }
    case .trigger(let name, let attribute, let text):
      devices.first { $0.isTrigger && ($0.name ?? $0.id) == name }.map {
        .text(Attribute($0, attribute), text)
      }
    case .noTrigger: .noTrigger(device)
    // `isAllowed` has seen to it that the name is one of ours, and no path.
    case .madeTrigger(let name): .made(HrtimerTrigger(named: name))
    }
  }
}

extension StateRecord.Device {
  /// How a device is found again.
  init(_ device: Device, uri: String) {
    self.init(uri: uri, id: device.id, name: device.name ?? "", parent: device.parentPath ?? "")
  }

  /// The device that is this one: the same part by the same name; of several such the one with the same id,
  /// else none.
  fileprivate func find(among devices: [Device]) -> Device? {
    let alike = devices.filter { !$0.isTrigger && ($0.name ?? "") == name && ($0.parentPath ?? "") == parent }
    return alike.first { $0.id == id } ?? (alike.count == 1 ? alike.first : nil)
  }
}
