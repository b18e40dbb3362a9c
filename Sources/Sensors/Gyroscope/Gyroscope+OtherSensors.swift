import IIO

extension Gyroscope {
  /// Gives the other sensors of the device the frequency that the rates have.
  ///
  /// Some parts store what all their sensors measure in one place, and their drivers refuse the buffer (EINVAL)
  /// while the frequencies differ: the kernel's bmi323 does, which many hand-held PCs have.
  ///
  /// - Returns: whether one had another frequency, so that the buffer may be tried again.
  func matchOtherSensors(undo: inout Undo, why: inout [String]) -> Bool {
    let own = Attribute(axes[0], "sampling_frequency")
    guard own.exists, let text = try? own.read(), let hertz = AttributeText.number(text) else { return false }
    var seen: Set<String> = [own.fileName]
    var changed: [String] = []
    for channel in device.channels where !channel.isOutput {
      let attribute = Attribute(channel, "sampling_frequency")
      guard attribute.exists, seen.insert(attribute.fileName).inserted, let now = attribute.number,
        now != hertz
      else { continue }
      undo.keep(attribute)
      if (try? attribute.write(text)) != nil { changed.append(attribute.fileName) }
    }
    if !changed.isEmpty {
      why.append(
        "\(changed.joined(separator: " and ")) is set to \(text) too: the driver refuses the buffer while its "
          + "sensors have different frequencies")
    }
    return !changed.isEmpty
  }
}
