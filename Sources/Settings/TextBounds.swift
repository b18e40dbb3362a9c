/// Which strings a setting takes. Control characters never; the empty string always, where it stands for the
/// default.
package struct TextBounds: Equatable, Sendable {
  /// What it is: `a path`, as a message calls it.
  package var what: String
  /// What the empty string stands for.
  package var emptyMeans: String
  /// UTF-8.
  package var maxBytes: Int
  package var isAbsolutePath = false

  /// Whether a string is one of those.
  package func contains(_ text: String) -> Bool {
    if text.isEmpty { return true }
    return text.utf8.count <= maxBytes && (!isAbsolutePath || text.hasPrefix("/"))
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
  }

  var allowed: String { "\(what), at most \(maxBytes) bytes; \"\" is \(emptyMeans)" }
}
