import IIO

/// What was changed on a device, so that it can be given back as it was. Each change is in the journal, where
/// there is one, before the change can be made.
struct Undo {
  /// Of the device that is being opened.
  var journal: StateJournal?
  private var changes: [Change] = []

  /// Keeps the attribute's text, if it can be read, to write it back.
  mutating func keep(_ attribute: Attribute) {
    guard let text = try? attribute.read() else { return }
    changes.append(.text(attribute, text))
    journal?.append(attribute.step(restoring: text))
  }

  /// Keeps that the device had no trigger.
  mutating func keepNoTrigger(of device: Device) {
    changes.append(.noTrigger(device))
    journal?.append(.noTrigger)
  }

  /// Keeps that the trigger was made here, to take it away. To be told before the device gets it: a trigger
  /// that is in use cannot go.
  mutating func keepMade(_ trigger: HrtimerTrigger) {
    changes.append(.made(trigger))
    journal?.append(.madeTrigger(name: trigger.name))
  }

  /// Puts everything back, the last change first. What cannot be put back is left, in the journal too unless the
  /// device is gone; so is all the rest where its machine does not answer any more.
  mutating func restore() {
    var isComplete = true
    for change in changes.reversed() {
      do throws(IIOError) {
        try change.putBack()
      } catch {
        isComplete = false
        if error.isDisconnection { break }
      }
    }
    changes = []
    if isComplete { journal?.clear() } else { journal?.release() }
  }
}
