import Linux

/// The name of a file that a command writes. Nowhere does `-` become a file that is called so.
enum OutputName {
  /// What stands for standard output, where a command can write to it.
  static let standardOutput = "-"

  /// A name that a file can be made under.
  ///
  /// - Parameter complaint: what is wrong where it is none.
  static func checked(_ name: String, orElse complaint: String) throws(UsageError) -> String {
    guard !name.isEmpty else { throw UsageError(complaint) }
    guard name != standardOutput else {
      throw UsageError("\(complaint), not standard output")
    }
    return name
  }
}
