import IIO

extension Gyroscope {
  /// Where the frequency of its samples is set: at the axes, at the device, at the buffer; and at the trigger,
  /// which has the last word.
  ///
  /// - Parameter trigger: the one that starts the scans, if there is one.
  func frequencyAttributes(trigger: Device?) -> [Attribute] {
    let name = "sampling_frequency"
    var attributes: [Attribute] = []
    for channel in axes {
      let attribute = Attribute(channel, name)
      if attribute.exists, !attributes.contains(where: { $0.fileName == attribute.fileName }) {
        attributes.append(attribute)
      }
    }
    if attributes.isEmpty, device.hasAttribute(name) { attributes.append(Attribute(device, name)) }
    if attributes.isEmpty, device.isLocal {
      let attribute = Attribute(device, "buffer/\(name)")
      if (try? attribute.read()) != nil { attributes.append(attribute) }
    }
    if let trigger, trigger.hasAttribute(name) { attributes.append(Attribute(trigger, name)) }
    return attributes
  }

  /// Sets the frequency as near as the device can, not below what is asked.
  ///
  /// - Returns: Hz as the device says afterwards; nil where it says nothing that can be.
  func setFrequency(asked: Double, trigger: Device?, undo: inout Undo, why: inout [String]) -> Double? {
    var set: Double?
    for attribute in frequencyAttributes(trigger: trigger) {
      let now = try? attribute.read()
      let available = (try? attribute.companion("_available").readIfListed()).flatMap { $0 }
        .flatMap { AvailableFrequencies($0) }
      let choice =
        available?.nearest(notBelow: asked)
        ?? AvailableFrequencies.Choice(hertz: asked, text: AttributeText.frequency(asked))
      if now.flatMap({ AttributeText.number($0) }) != choice.hertz {
        undo.keep(attribute)
        do throws(IIOError) {
          try attribute.write(choice, isOffered: available != nil)
        } catch {
          why.append("\(error): the frequency stays as it is")
        }
      }
      set = (try? attribute.read()).flatMap { AttributeText.number($0) }
    }
    // Drivers print 0 for what they do not know.
    return set.flatMap { $0 > 0 ? $0 : nil }
  }
}

extension Attribute {
  /// nil where it does not exist.
  fileprivate func readIfListed() throws(IIOError) -> String? { exists ? try read() : nil }

  /// Writes a frequency; whole Hz where the driver takes no decimals.
  fileprivate func write(_ choice: AvailableFrequencies.Choice, isOffered: Bool) throws(IIOError) {
    do throws(IIOError) {
      try write(choice.text)
    } catch {
      guard !isOffered, choice.text.contains("."), !error.isPermission, !error.isBusy, !error.isGone else {
        throw error
      }
      try write(AttributeText.frequency(choice.hertz.rounded(.up)))
    }
  }
}
