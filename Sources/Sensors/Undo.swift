import IIO

/// What was changed on a device, so that it can be given back as it was.
struct Undo {
  private enum Step {
    case text(Attribute, String)
    case noTrigger(Device)
    case made(HrtimerTrigger)
  }

  private var steps: [Step] = []

  /// Keeps the attribute's text, if it can be read, to write it back.
  mutating func keep(_ attribute: Attribute) {
    guard let text = try? attribute.read() else { return }
    steps.append(.text(attribute, text))
  }

  /// Keeps that the device had no trigger.
  mutating func keepNoTrigger(of device: Device) { steps.append(.noTrigger(device)) }

  /// Keeps that the trigger was made here, to take it away. To be told before the device gets it: a trigger
  /// that is in use cannot go.
  mutating func keepMade(_ trigger: HrtimerTrigger) { steps.append(.made(trigger)) }

  /// Puts everything back, the last change first. What cannot be put back is left: the device may be gone.
  mutating func restore() {
    for step in steps.reversed() {
      switch step {
      case .text(let attribute, let text):
        // Not written where nothing changed: a write can disturb a running device.
        if (try? attribute.read()) != text { try? attribute.write(text) }
      case .noTrigger(let device): try? device.setTrigger(nil)
      case .made(let trigger): try? trigger.remove()
      }
    }
    steps = []
  }
}
