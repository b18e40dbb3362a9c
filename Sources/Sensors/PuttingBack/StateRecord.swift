import IIO

/// What was changed on one device and how it was before: the content of a journal that outlives a crash.
///
/// Pure. The steps name nothing but what the daemon itself writes: a journal cannot have anything else changed.
package struct StateRecord: Equatable, Sendable {
  /// How the device is found again; its number may be another by then.
  package struct Device: Equatable, Sendable {
    /// The machine that it belongs to: `local:` or a URI.
    package var uri: String
    /// `iio:device0`
    package var id: String
    /// `bmi160`; empty where it has none.
    package var name: String
    /// The part that it belongs to, as a path below /sys; empty where there is none.
    package var parent: String

    package init(uri: String, id: String, name: String, parent: String) {
      self.uri = uri
      self.id = id
      self.name = name
      self.parent = parent
    }
  }

  /// One thing to be put back.
  package enum Step: Equatable, Sendable {
    /// A file in the device's folder: `buffer/length`.
    case device(attribute: String, text: String)
    /// An attribute of a channel of another machine's device, where files have no names.
    case channel(id: String, attribute: String, text: String)
    /// An attribute of the trigger of that name.
    case trigger(name: String, attribute: String, text: String)
    /// The device had no trigger.
    case noTrigger
    /// A trigger that was made in configfs (`iio/triggers/hrtimer`) and is to be removed.
    case madeTrigger(name: String)
  }

  /// The boot in which it was written: after the next one every device is as its driver makes it.
  package var boot: String
  package var device: Device
  /// In the order in which the changes were made.
  package var steps: [Step]

  package init(boot: String, device: Device, steps: [Step] = []) {
    self.boot = boot
    self.device = device
    self.steps = steps
  }

  /// Whether the device's buffer had been set up.
  var hasBuffer: Bool {
    steps.contains { step in
      guard case .device(let attribute, _) = step else { return false }
      return attribute.hasPrefix("buffer") || attribute.hasPrefix("scan_elements/")
    }
  }
}

extension StateRecord.Step {
  static let longestName = 128
  static let longestText = 256

  private static let attributes: Set<String> = [
    "buffer/length", "buffer/watermark", "buffer/sampling_frequency", "sampling_frequency",
    "current_timestamp_clock", "trigger/current_trigger",
  ]

  /// Whether this is something that the daemon changes: a fixed list of attributes, bounded texts.
  package var isAllowed: Bool {
    switch self {
    case .device(let attribute, let text):
      Self.isText(text) && (Self.attributes.contains(attribute) || Self.isChannelFile(attribute))
    case .channel(let id, let attribute, let text):
      Self.isText(text) && Self.isWord(id) && attribute == "sampling_frequency"
    case .trigger(let name, let attribute, let text):
      Self.isText(text) && Self.isText(name, longest: Self.longestName) && attribute == "sampling_frequency"
    case .noTrigger: true
    case .madeTrigger(let name):
      name.hasPrefix(HrtimerTrigger.namePrefix) && Self.isWord(name)
    }
  }

  /// `scan_elements/in_anglvel_x_en`, `in_anglvel_sampling_frequency`, `scan_elements/in_voltage0-voltage1_en`
  private static func isChannelFile(_ attribute: String) -> Bool {
    var rest = attribute[...]
    let folder = "scan_elements/"
    let isElement = rest.hasPrefix(folder)
    if isElement { rest = rest.dropFirst(folder.count) }
    guard rest.hasPrefix("in_") || (isElement && rest.hasPrefix("out_")) else { return false }
    return isWord(rest) && rest.hasSuffix(isElement ? "_en" : "_sampling_frequency")
  }

  private static func isText(_ text: String, longest: Int = longestText) -> Bool {
    text.utf8.count <= longest && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
  }

  private static func isWord(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.count <= longestName && text.utf8.allSatisfy(isOfWord)
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
