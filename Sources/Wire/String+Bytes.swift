extension String {
  /// Whether it may be one of the protocol's names. Asked before it is compared with them: Swift's == puts both in
  /// Unicode's normal form, which takes milliseconds where somebody sends thousands of accents for a name.
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

  /// The order of the bytes.
  func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
