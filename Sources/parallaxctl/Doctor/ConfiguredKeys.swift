import Linux
import Settings

/// Which settings configuration files name, whatever their values are: a person has decided on those.
enum ConfiguredKeys {
  private static let fileLimit = 65

  /// `sensor.axes`; nothing of files that cannot be read here, or are no TOML.
  static func read(_ files: [String]) -> Set<String> {
    Set(files.prefix(fileLimit).flatMap(keys(in:)))
  }

  private static func keys(in file: String) -> [String] {
    guard let bytes = try? SmallFile.contents(of: file, limit: TOMLDocument.maxBytes) else { return [] }
    let entries = bytes.withUnsafeBytes { try? TOMLDocument.parse($0, fileName: file) }
    return entries?.map(\.key) ?? []
  }
}
