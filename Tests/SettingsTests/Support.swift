import Glibc
import Settings
import TestSupport
import Testing

/// Settings from a document's text, on top of the built-in ones.
func settings(_ text: String, file: String = "parallaxd.toml") throws(SettingsError) -> Settings {
  var draft = SettingsDraft()
  let bytes = Array(text.utf8)
  try bytes.withUnsafeBufferPointer { (bytes: UnsafeBufferPointer<UInt8>) throws(SettingsError) in
    try Settings.parse(UnsafeRawBufferPointer(bytes), fileName: file, into: &draft)
  }
  return try draft.finished()
}

/// The error that a document's text makes.
func failure(_ text: String) -> SettingsError? {
  do {
    _ = try settings(text)
    return nil
  } catch {
    return error
  }
}

/// `a.b = v` as a document with its section.
func document(_ name: String, _ value: String) -> String {
  let parts = name.split(separator: ".")
  return "[\(parts[0])]\n\(parts[1]) = \(value)\n"
}

/// The settings by name, as they would stand in a file.
func inForce(_ settings: Settings) -> [String: String] {
  Dictionary(uniqueKeysWithValues: settings.inForce.map { ($0.name, $0.value) })
}

/// The path of a file of the project.
func projectFile(_ path: String) -> String {
  #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/" + path
}

/// The text of a file of the project.
func projectText(_ path: String) throws -> String {
  let file = try #require(fopen(projectFile(path), "r"), "\(path) is missing")
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let length = fread(&bytes, 1, bytes.count, file)
  return String(decoding: bytes[..<length], as: UTF8.self)
}

extension TemporaryFolder {
  /// Writes a file, with the directories above it; returns its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let target = "\(path)/\(name)"
    for index in target.indices where target[index] == "/" { mkdir(String(target[..<index]), 0o755) }
    let file = try #require(fopen(target, "w"))
    fputs(text, file)
    fclose(file)
    return target
  }

  /// A pipe in the directory; returns its path.
  func makeFIFO(_ name: String) throws -> String {
    try #require(mkfifo("\(path)/\(name)", 0o600) == 0)
    return "\(path)/\(name)"
  }
}

extension SettingKey {
  /// The default as it would stand in a configuration file.
  var defaultText: String { text(in: Settings()) }
}
