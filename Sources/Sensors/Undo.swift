import IIO

/// What was changed on a device, so that it can be given back as it was. Each step is in the journal, where
/// there is one, before the change can be made.
struct Undo {
  private enum Step {
    case text(Attribute, String)
    case noTrigger(Device)
    case made(HrtimerTrigger)
  }

  /// Of the device that is being opened.
  var journal: StateJournal?
  private var steps: [Step] = []

  /// Keeps the attribute's text, if it can be read, to write it back.
  mutating func keep(_ attribute: Attribute) {
    guard let text = try? attribute.read() else { return }
    steps.append(.text(attribute, text))
    journal?.append(attribute.step(restoring: text))
  }

  /// Keeps that the device had no trigger.
  mutating func keepNoTrigger(of device: Device) {
    steps.append(.noTrigger(device))
    journal?.append(.noTrigger)
  }

  /// Keeps that the trigger was made here, to take it away. To be told before the device gets it: a trigger
  /// that is in use cannot go.
  mutating func keepMade(_ trigger: HrtimerTrigger) {
    steps.append(.made(trigger))
    journal?.append(.madeTrigger(name: trigger.name))
  }

  /// Puts everything back, the last change first. What cannot be put back is left, in the journal too unless the
  /// device is gone; so is all the rest where its machine does not answer any more.
  mutating func restore() {
    var isComplete = true
    for step in steps.reversed() {
      do throws(IIOError) {
        try restore(step)
      } catch {
        isComplete = isComplete && error.isGone
        if error.isDisconnection { break }
      }
    }
    steps = []
    if isComplete { journal?.clear() } else { journal?.release() }
  }

  private func restore(_ step: Step) throws(IIOError) {
    switch step {
    case .text(let attribute, let text):
      // Not written where nothing changed: a write can disturb a running device. Of a connection that is lost with
      // the read the write says so.
      if (try? attribute.read()) != text { try attribute.write(text) }
    case .noTrigger(let device): try device.setTrigger(nil)
    case .made(let trigger): try trigger.remove()
    }
  }
}
