import Wire

extension Status {
  /// A setting in force as it stands in a file, but a text without its quotation marks; nil where it is not told.
  func setting(_ name: String) -> String? {
    settings.first { $0.name == name }?.value?.filter { $0 != "\"" }
  }
}
