extension StringProtocol {
  /// The text without blanks and line ends before and behind it, as all that files of the kernel say is read.
  package var withoutSurroundingBlanks: SubSequence {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
    return self[start..<end]
  }
}
