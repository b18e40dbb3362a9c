extension BinaryInteger {
  /// `1 update`, `347 updates`
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
