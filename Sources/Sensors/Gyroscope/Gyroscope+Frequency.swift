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

  /// What a driver offers for a frequency, as it prints it; nil where it offers nothing.
  ///
  /// Some set the frequency at the axes and list what can be set at the device (bmg160).
  func offered(for attribute: Attribute) -> String? {
    let companion = attribute.companion("_available")
    // libiio does not list what is in the buffer's folder.
    if companion.exists || companion.name.contains("/") { return try? companion.read() }
    let name = "sampling_frequency_available"
    guard attribute.isOfChannel, device.hasAttribute(name) else { return nil }
    return try? device.read(name)
  }

  /// Sets the frequency as near as the device can, not below what is asked.
  ///
  /// - Returns: Hz as the device says afterwards; nil where it says nothing that can be.
  func setFrequency(asked: Double, trigger: Device?, undo: inout Undo, why: inout [String]) -> Double? {
    var set: Double?
    for attribute in frequencyAttributes(trigger: trigger) {
      let available = offered(for: attribute).flatMap { AvailableFrequencies($0) }
      let setting = FrequencySetting.set(
        asked: asked, available: available, read: attribute.read, write: attribute.write,
        willWrite: { undo.keep(attribute) })
      why += setting.notes
      set = setting.hertz ?? set
    }
    return set
  }
}
