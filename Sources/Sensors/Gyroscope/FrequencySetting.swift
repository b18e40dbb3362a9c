import IIO

/// What came of setting a frequency. The driver is two closures, so that a test can be one.
struct FrequencySetting: Equatable {
  /// Hz as the driver says afterwards; nil where it says nothing that can be.
  var hertz: Double?
  /// What is odd, a sentence each.
  var notes: [String] = []

  /// How often half of it is tried where a driver makes 0 of a frequency.
  private static let halvings = 4

  /// Sets what is nearest to `asked`, not below it, and reads it back: drivers round.
  ///
  /// A driver that makes 0 of it (a HID sensor counts whole milliseconds, and 2000 Hz are none) gets half.
  ///
  /// - Parameters:
  ///   - willWrite: called once, before the first write.
  static func set(
    asked: Double, available: AvailableFrequencies?, read: () throws(IIOError) -> String,
    write: (String) throws(IIOError) -> Void, willWrite: () -> Void = {}
  ) -> FrequencySetting {
    var setting = FrequencySetting()
    let choice =
      available?.nearest(notBelow: asked)
      ?? AvailableFrequencies.Choice(hertz: asked, text: AttributeText.frequency(asked))
    if (try? read()).flatMap({ AttributeText.number($0) }) == choice.hertz {
      setting.hertz = choice.hertz
      return setting
    }
    willWrite()
    do throws(IIOError) {
      try Self.write(choice, isOffered: available != nil, write)
    } catch {
      setting.notes.append("\(error): the frequency stays as it is")
      setting.hertz = (try? read()).flatMap { AttributeText.number($0) }.flatMap { $0 > 0 ? $0 : nil }
      return setting
    }
    setting.readBack(choice, read, write)
    return setting
  }

  private mutating func readBack(
    _ choice: AvailableFrequencies.Choice, _ read: () throws(IIOError) -> String,
    _ write: (String) throws(IIOError) -> Void
  ) {
    guard let text = try? read(), let number = AttributeText.number(text) else {
      notes.append("the driver does not say which frequency it made of \(choice.text) Hz: it is measured")
      return
    }
    if number > 0 {
      hertz = number
      return
    }
    var half = choice.hertz / 2
    for _ in 0..<Self.halvings {
      let text = AttributeText.frequency(half)
      if (try? write(text)) != nil, let number = (try? read()).flatMap({ AttributeText.number($0) }),
        number > 0
      {
        hertz = number
        notes.append("the driver made 0 of \(choice.text) Hz: \(text) Hz is set")
        return
      }
      half /= 2
    }
    try? write(choice.text)
    notes.append("the driver says 0 for \(choice.text) Hz: the frequency is measured")
  }

  /// Whole Hz where the driver takes no decimals.
  private static func write(
    _ choice: AvailableFrequencies.Choice, isOffered: Bool, _ write: (String) throws(IIOError) -> Void
  ) throws(IIOError) {
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
