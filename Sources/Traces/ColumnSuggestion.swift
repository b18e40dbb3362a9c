import Linux

/// A mapping to begin with, made from the names in a header that nobody knows: for an error message, never
/// for reading. What a name does not say is `UNIT`, which no program accepts.
enum ColumnSuggestion {
  /// What is left for a person to say.
  static let unknown = "UNIT"
  /// Where nothing in the header is of use.
  static let example = "t=Time_ms:ms,x=GX:deg/s,y=GY:deg/s,z=GZ:deg/s"
  /// What may follow it.
  static let accelerations = "ax=AX:g,ay=AY:g,az=AZ:g"
  static let numbered = "t=1:ms,x=2:deg/s,y=3:deg/s,z=4:deg/s"

  /// The text of a mapping for a table with these columns; nil unless there is exactly one likely column for
  /// each of t, x, y and z.
  static func mapping(of names: [String]) -> String? {
    guard let time = timeColumn(of: names) else { return nil }
    var parts = ["t=\(reference(names[time])):\(timeUnit(of: names[time]))"]
    for axis in ["x", "y", "z"] {
      // More than one set of rates, raw ones and cleaned ones: the first is as good an example.
      let rate = names.first { isRate($0, about: axis) } ?? onlyColumn(of: names, about: axis)
      guard let name = rate else { return nil }
      parts.append("\(axis)=\(reference(name)):\(rateUnit(of: name))")
    }
    let text = parts.joined(separator: ",")
    // The advice stands in single quotes.
    return text.utf8.count <= 200 && text.printable() == text && !text.contains("'") ? text : nil
  }

  /// The first column that sounds like a time.
  static func timeColumn(of names: [String]) -> Int? {
    names.firstIndex {
      let words = words(of: $0)
      return ["t", "time", "timestamp", "timestamps", "tns", "tus", "tms", "counter", "count", "uptime"]
        .contains(words.first ?? "") || words.contains("time") || words.contains("timestamp")
    }
  }

  /// What is known to be no rate.
  private static func isOther(_ words: [String]) -> Bool {
    let others = ["acc", "accel", "acceleration", "accelerometer", "mag", "magnetometer", "gravity"]
    return words.contains(where: others.contains)
  }

  /// `X_value`: a name that says the axis and not what is measured, where no other column has that axis.
  private static func onlyColumn(of names: [String], about axis: String) -> String? {
    let columns = names.filter { words(of: $0).contains(axis) }
    guard columns.count == 1, !isOther(words(of: columns[0])) else { return nil }
    return columns[0]
  }

  private static func isRate(_ name: String, about axis: String) -> Bool {
    let words = words(of: name)
    if isOther(words) { return false }
    let stems = ["g", "gyr", "gyro", "gyroscope", "w", "omega", "rot", "rate", "angular"]
    if words.contains(where: { word in stems.contains { word == $0 + axis } }) { return true }
    return words.contains(axis)
      && (words.count == 1 || words.contains(where: stems.contains) || isRotation(words))
  }

  private static func isRotation(_ words: [String]) -> Bool {
    words.contains { $0.hasPrefix("gyr") || $0.hasPrefix("rot") || $0.hasPrefix("ang") }
  }

  private static func timeUnit(of name: String) -> String {
    let words = words(of: name)
    for unit in ["ns", "us", "ms", "s"] where words.dropFirst().contains(unit) { return unit }
    let spelled = [("nanoseconds", "ns"), ("microseconds", "us"), ("milliseconds", "ms"), ("seconds", "s")]
    return spelled.first { words.contains($0.0) }?.1 ?? unknown
  }

  private static func rateUnit(of name: String) -> String {
    let words = words(of: name)
    if words.contains(where: { $0.hasPrefix("deg") || $0 == "dps" }) { return "deg/s" }
    return words.contains(where: { $0.hasPrefix("rad") }) ? "rad/s" : unknown
  }

  /// `rotationRate_x(rad/s)` → rotation, rate, x, rad, s: lower case, parted at what is no letter and where a
  /// capital follows a small letter.
  private static func words(of name: String) -> [String] {
    var words = [""]
    var wasSmall = false
    for character in name {
      let isCapital = character.isASCII && character.isUppercase
      if !character.isLetter || (isCapital && wasSmall), words[words.count - 1] != "" { words.append("") }
      if character.isLetter { words[words.count - 1] += character.lowercased() }
      wasSmall = character.isLetter && !isCapital
    }
    return words.filter { !$0.isEmpty }
  }

  /// A name as a mapping takes it.
  private static func reference(_ name: String) -> String {
    let isPlain = !name.isEmpty && !name.contains { ",:\"".contains($0) } && !name.allSatisfy(\.isNumber)
    return isPlain ? name : "\"\(name)\""
  }
}

extension TraceError {
  /// What to do about columns that nobody knows, whichever program reads them.
  static func advice(_ mapping: String) -> String {
    "--columns '\(mapping)' (parallaxd: sensor.replay_columns)"
  }

  /// As many of a header's names as fit in a line beside other things, and how many are left out.
  static func listing(_ names: [String], limit: Int = 160) -> String {
    var text = ""
    for (index, name) in names.enumerated() {
      let next = (index == 0 ? "" : ", ") + name.printable(limit: 40)
      guard text.count + next.count <= limit || index == 0 else {
        return "\(text) and \(names.count - index) more"
      }
      text += next
    }
    return text
  }
}
