/// The pure core: text in, checked settings out; nothing is opened.
extension Settings {
  /// Reads a configuration file's bytes into `draft`; what it does not name stays.
  package static func parse(
    _ bytes: UnsafeRawBufferPointer, fileName: String, into draft: inout SettingsDraft
  ) throws(SettingsError) {
    for entry in try TOMLDocument.parse(bytes, fileName: fileName) { try draft.apply(entry) }
  }

  /// Reads one `section.key=value` of the command line into `draft`. The value is TOML; where it is none,
  /// or the setting is a string, it is taken as it stands.
  package static func parse(override: String, into draft: inout SettingsDraft) throws(SettingsError) {
    guard let equals = override.firstIndex(of: "="), override.utf8.count <= TOMLDocument.maxBytes else {
      throw SettingsError(malformed(override), at: .override)
    }
    let key = trimmed(override[..<equals])
    let value = trimmed(override[override.index(after: equals)...])
    try draft.apply(
      TOMLEntry(
        key: String(key),
        value: overrideValue(value, isText: SettingKey.byName[String(key)]?.shape.isText ?? false),
        keyPlace: .override, valuePlace: .override))
  }

  /// What is wrong with the form of a word after `--set`, whatever it sets: one line. nil: nothing is.
  package static func fault(inOverride word: String) -> String? {
    word.contains("=") && word.utf8.count <= TOMLDocument.maxBytes
      ? nil : "\(SettingsPlace.override.file): \(malformed(word))"
  }

  private static func malformed(_ override: String) -> String {
    "\(TOMLText.of(String(override.prefix(64)))) is no section.key=value, such as motion.threshold=0.2"
  }

  private static func overrideValue(_ value: Substring, isText: Bool) -> TOMLValue {
    let isQuoted = value.hasPrefix("\"") || value.hasPrefix("'")
    if isText, !isQuoted { return .text(String(value)) }
    var document = "value = \(value)"
    let entries = document.withUTF8 { bytes in
      try? TOMLDocument.parse(UnsafeRawBufferPointer(bytes), fileName: "--set")
    }
    // A line break in the value could bring a second entry along.
    guard let entries, let entry = entries.first, entries.count == 1 else { return .text(String(value)) }
    return entry.value
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
