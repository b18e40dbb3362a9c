// The text of a journal:
//
//     parallaxd-state 1
//     boot 6f2b0c1ed0a14b7c8f5a8f1f4f0f6a55
//     source local: iio:device0 bmi160 /sys/devices/pci0000:00/i2c-1
//     device buffer/length 2
//     device current_timestamp_clock realtime
//     no-trigger
//
// Words are separated by one blank; what is not a printable ASCII character, the blank and `%` are written as
// in a URI, an empty word as `%`. Steps are appended one line at a time, each before its change is made: a line
// without an end is one whose change was never made.
extension StateRecord {
  private static let title = "parallaxd-state 1"
  /// Longer than any journal that is written.
  package static let largest = 64 * 1024
  private static let mostSteps = 512

  /// What a new file begins with.
  package var head: String {
    let words = [device.uri, device.id, device.name, device.parent].map(Self.escaped)
    return "\(Self.title)\nboot \(Self.escaped(boot))\nsource \(words.joined(separator: " "))\n"
  }

  /// The line of one step.
  package static func line(of step: Step) -> String {
    let words =
      switch step {
      case .device(let attribute, let text): ["device", attribute, text]
      case .channel(let id, let attribute, let text): ["channel", id, attribute, text]
      case .trigger(let name, let attribute, let text): ["trigger", name, attribute, text]
      case .noTrigger: ["no-trigger"]
      case .madeTrigger(let name): ["made-trigger", name]
      }
    return words.map(escaped).joined(separator: " ") + "\n"
  }

  /// Reads a journal; nil where it is none, or has anything in it that the daemon does not write.
  package init?(parsing bytes: some Collection<UInt8>) {
    guard bytes.count <= Self.largest else { return nil }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // What follows the last line's end: nothing, or a line that was not finished.
    lines.removeLast()
    guard lines.count >= 3, lines.count <= Self.mostSteps + 3,
      Array(lines[0]) == Array(Self.title.utf8),
      let boot = Self.words(lines[1]), boot.count == 2, boot[0] == "boot",
      let source = Self.words(lines[2]), source.count == 5, source[0] == "source"
    else { return nil }
    self.init(
      boot: boot[1],
      device: Device(uri: source[1], id: source[2], name: source[3], parent: source[4]))
    for line in lines.dropFirst(3) {
      guard let words = Self.words(line), let step = Self.step(words), step.isAllowed else { return nil }
      steps.append(step)
    }
  }

  private static func step(_ words: [String]) -> Step? {
    switch (words[0], words.count) {
    case ("device", 3): .device(attribute: words[1], text: words[2])
    case ("channel", 4): .channel(id: words[1], attribute: words[2], text: words[3])
    case ("trigger", 4): .trigger(name: words[1], attribute: words[2], text: words[3])
    case ("no-trigger", 1): .noTrigger
    case ("made-trigger", 2): .madeTrigger(name: words[1])
    default: nil
    }
  }
}

// Words.
extension StateRecord {
  private static let escape = UInt8(ascii: "%")

  private static func escaped(_ word: String) -> String {
    guard !word.isEmpty else { return "%" }
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for byte in word.utf8 {
      if byte > 0x20, byte < 0x7f, byte != escape {
        bytes.append(byte)
      } else {
        bytes += [escape, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func words(_ line: some Collection<UInt8>) -> [String]? {
    var words: [String] = []
    for part in line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
      guard words.count < 8, let word = unescaped(Array(part)) else { return nil }
      words.append(word)
    }
    return words
  }

  private static func unescaped(_ bytes: [UInt8]) -> String? {
    if bytes == [escape] { return "" }
    guard !bytes.isEmpty else { return nil }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard byte > 0x20, byte < 0x7f else { return nil }
      if byte == escape {
        guard index + 2 < bytes.count, let high = hexadecimal(bytes[index + 1]),
          let low = hexadecimal(bytes[index + 2])
        else { return nil }
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(byte)
        index += 1
      }
    }
    return String(validating: result, as: UTF8.self)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
