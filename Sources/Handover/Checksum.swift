/// Words that have changed are noticed: a mixing sum, which is no secret and no proof against intent.
struct Checksum {
  private(set) var value: UInt64 = 0x6a09_e667_f3bc_c908

  mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x9e37_79b9_7f4a_7c15
    value ^= value &>> 32  // masked: the other shift allocates where nothing is optimised
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    while index < bytes.count {
      add(UInt64(bytes[index]))
      index += 1
    }
    add(UInt64(bytes.count))
  }
}
