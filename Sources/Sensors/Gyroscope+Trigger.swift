import IIO

extension Gyroscope {
  /// The trigger that the device's own driver made: named `<name>-devN`, or belonging to the same part.
  func ownTrigger(among devices: [Device]) -> Device? {
    let triggers = devices.filter(\.isTrigger)
    let number = device.id.drop { !$0.isNumber }
    if let name = device.name, let own = triggers.first(where: { $0.name == "\(name)-dev\(number)" }) {
      return own
    }
    guard let parent = device.parentPath else { return nil }
    return triggers.first { $0.parentPath == parent }
  }

  /// Sees to it that something starts the device's scans; what that is, for people.
  ///
  /// A seam: where a device has no trigger of its own, one could be made here.
  func setUpTrigger(among devices: [Device], undo: inout Undo) throws(SensorFailure)
    -> (trigger: Device?, text: String)
  {
    do throws(IIOError) {
      switch try device.trigger() {
      case .unsupported: return (nil, "no trigger needed")
      case .set(let trigger): return (trigger, "trigger \(trigger?.name ?? "set before")")
      case .none: break
      }
      if let own = ownTrigger(among: devices) {
        undo.keepNoTrigger(of: device)
        try device.setTrigger(own)
        return (own, "its own trigger \(own.name ?? own.id)")
      }
    } catch {
      throw SensorFailure(error, title)
    }
    throw SensorFailure(.configuration, "\(title) has no trigger that would start its scans")
  }
}
