import IIO

/// One thing that was changed on a device, and how it was: what is put back, after a crash as after a clean end.
enum Change {
  /// The attribute had this text.
  case text(Attribute, String)
  /// The device had no trigger.
  case noTrigger(Device)
  /// The trigger was made by the daemon.
  case made(HrtimerTrigger)

  /// Makes it as it was; what is not there any more is.
  ///
  /// Throws where it stays changed.
  func putBack() throws(IIOError) {
    do throws(IIOError) {
      switch self {
      case .text(let attribute, let text): try Self.putBack(attribute, text)
      case .noTrigger(let device): try device.setTrigger(nil)
      case .made(let trigger): try trigger.remove()
      }
    } catch {
      if !error.isGone { throw error }
    }
  }

  private static func putBack(_ attribute: Attribute, _ text: String) throws(IIOError) {
    do throws(IIOError) {
      // Not written where nothing changed: a write can disturb a running device.
      if try attribute.read() == text { return }
    } catch {
      // Nor where it is absent: libiio would make a file. One that cannot be read may still be written: an
      // empty attribute reads as EIO, as that of the trigger does where there is none.
      if error.isGone || error.isDisconnection { throw error }
    }
    try attribute.write(text)
  }
}
