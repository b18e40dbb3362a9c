/// 64 bytes of the handover file: seven words and their check.
struct HandoverLine {
  private static let checked = 7

  private let words: UnsafeMutablePointer<UInt64>

  /// - Parameter memory: valid as long as this value is used, and aligned for words.
  init(_ memory: UnsafeMutableRawPointer) {
    words = memory.assumingMemoryBound(to: UInt64.self)
  }

  /// A word of the seven.
  subscript(index: Int) -> UInt64 {
    get { words[index] }
    nonmutating set { words[index] = newValue }
  }

  /// Whether the words are those that were sealed.
  var isWhole: Bool { words[Self.checked] == check }

  /// The check becomes that of the words.
  func seal() { words[Self.checked] = check }

  func clear() {
    var index = 0
    while index <= Self.checked {
      words[index] = 0
      index += 1
    }
  }

  private var check: UInt64 {
    var sum = Checksum()
    var index = 0
    while index < Self.checked {
      sum.add(words[index])
      index += 1
    }
    return sum.value
  }
}
