import IIO

extension Gyroscope {
  /// What can start its scans, in the order in which it is tried.
  struct ScanStarts {
    let order: [ScanStart]
    let fifo: HardwareFIFO?
    let trigger: ScanStart.Trigger
    /// The trigger that is set; nil where it came up after the context was made.
    let current: Device?
    let own: Device?
    /// Why the first ways are not tried, a sentence each.
    let notes: [String]
  }

  /// Looks at the device's FIFO and triggers; nothing is changed.
  func scanStarts(among devices: [Device]) throws(SensorFailure) -> ScanStarts {
    let fifo = HardwareFIFO(of: device)
    let own = ownTrigger(among: devices)
    var trigger = ScanStart.Trigger.unsupported
    var current: Device?
    let state: TriggerState
    do throws(IIOError) { state = try device.trigger() } catch { throw SensorFailure(error, title) }
    switch state {
    case .unsupported: break
    case .none: trigger = .none
    case .set(let set):
      current = set
      trigger = set?.name == HrtimerTrigger(deviceID: device.id).name && device.isLocal ? .made : .set
    }
    var order = ScanStart.order(
      isLocal: device.isLocal, hasFIFO: fifo != nil, trigger: trigger, hasOwn: own != nil)
    // Its own is set already.
    if trigger == .set, own != nil, own?.id == current?.id { order.removeAll { $0 == .own } }
    return ScanStarts(
      order: order, fifo: fifo, trigger: trigger, current: current, own: own,
      notes: fifo == nil && device.isLocal ? ["no hardware FIFO: its driver shows none"] : [])
  }

  /// The trigger that the device's own driver made.
  func ownTrigger(among devices: [Device]) -> Device? {
    let triggers = devices.filter(\.isTrigger)
    let candidates = triggers.map { OwnTrigger.Candidate(name: $0.name, folder: $0.parentPath) }
    return OwnTrigger.index(
      among: candidates, id: device.id, name: device.name, folder: device.parentPath
    ).map { triggers[$0] }
  }

  /// Sees to it that the device has the trigger of this way, and no other.
  ///
  /// - Returns: the trigger whose frequency counts, and what starts the scans, for people.
  func setUpTrigger(_ start: ScanStart, _ starts: ScanStarts, undo: inout Undo) throws(SensorFailure)
    -> (trigger: Device?, text: String)
  {
    do throws(IIOError) {
      switch start {
      case .driver: return (nil, "no trigger needed")
      case .fifo:
        if starts.trigger == .set || starts.trigger == .made {
          keepTrigger(starts, undo: &undo)
          try device.setTrigger(nil)
        }
        return (nil, starts.fifo?.title ?? "no trigger needed")
      case .current: return (starts.current, "trigger \(starts.current?.name ?? "set before")")
      case .own:
        keepTrigger(starts, undo: &undo)
        try device.setTrigger(starts.own)
        return (starts.own, "its own trigger \(starts.own?.name ?? starts.own?.id ?? "")")
      case .hrtimer: break
      }
    } catch {
      throw SensorFailure(error, title)
    }
    return (nil, try makeTrigger(starts, undo: &undo))
  }

  /// What is to be set again afterwards. One that a crash left is not.
  func keepTrigger(_ starts: ScanStarts, undo: inout Undo) {
    if starts.trigger == .set {
      undo.keep(Attribute(device, "trigger/current_trigger"))
    } else {
      undo.keepNoTrigger(of: device)
    }
  }
}
