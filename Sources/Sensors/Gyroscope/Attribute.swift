import IIO

/// One attribute of a device or of a channel of it; valid as long as the context lives.
struct Attribute {
  private enum Owner {
    case device(Device)
    case channel(Channel)
  }

  private let owner: Owner
  /// As libiio has it: `sampling_frequency`.
  let name: String

  /// Any file in the folder of a device of this machine, an attribute in the list of any other.
  init(_ device: Device, _ name: String) {
    owner = .device(device)
    self.name = name
  }

  init(_ channel: Channel, _ name: String) {
    owner = .channel(channel)
    self.name = name
  }

  /// Whether it is a channel's, its own or its kind's.
  var isOfChannel: Bool {
    if case .channel = owner { true } else { false }
  }

  /// Whether libiio lists it.
  var exists: Bool {
    switch owner {
    case .device(let device): device.hasAttribute(name)
    case .channel(let channel): channel.hasAttribute(name)
    }
  }

  /// The attribute beside it: `sampling_frequency_available`.
  func companion(_ suffix: String) -> Attribute {
    switch owner {
    case .device(let device): Attribute(device, name + suffix)
    case .channel(let channel): Attribute(channel, name + suffix)
    }
  }

  /// The name of its file, by which shared attributes are known.
  var fileName: String {
    switch owner {
    case .device: name
    case .channel(let channel): channel.fileName(of: name) ?? name
    }
  }

  /// What a journal says of it.
  func step(restoring text: String) -> StateRecord.Step {
    switch owner {
    case .device(let device) where device.isTrigger:
      .trigger(name: device.name ?? device.id, attribute: name, text: text)
    case .device: .device(attribute: name, text: text)
    case .channel(let channel):
      channel.isLocal
        ? .device(attribute: fileName, text: text)
        : .channel(id: channel.id, attribute: name, text: text)
    }
  }

  func read() throws(IIOError) -> String {
    switch owner {
    case .device(let device): try device.read(name)
    case .channel(let channel): try channel.read(name)
    }
  }

  /// The number in it; nil where libiio does not list it, or it says none.
  var number: Double? { exists ? (try? read()).flatMap { AttributeText.number($0) } : nil }

  func write(_ text: String) throws(IIOError) {
    switch owner {
    case .device(let device): try device.write(name, text)
    case .channel(let channel): try channel.write(name, text)
    }
  }
}
