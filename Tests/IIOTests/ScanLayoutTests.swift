import IIO
import Testing

@Suite struct ScanLayoutTests {
  struct Case {
    var what: String
    /// Scan index, bits that hold the value.
    var elements: [(Int, Int)]
    var offsets: [Int]
    var size: Int
  }

  @Test(arguments: [
    Case(
      what: "three words and a time", elements: [(0, 16), (1, 16), (2, 16), (3, 64)],
      offsets: [0, 2, 4, 8], size: 16),
    Case(what: "no time", elements: [(0, 16), (1, 16), (2, 16)], offsets: [0, 2, 4], size: 6),
    Case(what: "32 bits", elements: [(0, 32), (1, 32), (2, 32), (3, 64)], offsets: [0, 4, 8, 16], size: 24),
    Case(
      what: "by index, not by name", elements: [(5, 16), (4, 16), (3, 16), (6, 64)],
      offsets: [4, 2, 0, 8], size: 16),
    Case(what: "mixed sizes", elements: [(0, 8), (1, 32), (2, 16)], offsets: [0, 4, 8], size: 10),
    Case(what: "two with one index", elements: [(0, 16), (0, 16), (1, 16)], offsets: [0, 0, 2], size: 4),
    Case(
      what: "time first", elements: [(1, 16), (2, 16), (3, 16), (0, 64)], offsets: [8, 10, 12, 0], size: 14),
    Case(what: "nothing", elements: [], offsets: [], size: 0),
  ])
  func layout(of one: Case) throws {
    let layout = try ScanLayout(
      try one.elements.map { index, bits in
        (
          index,
          try SampleFormat(isBigEndian: false, isSigned: true, bits: bits, storageBits: bits, shift: 0)
        )
      })
    #expect(layout.offsets == one.offsets, "\(one.what)")
    #expect(layout.size == one.size, "\(one.what)")
  }

  /// A driver's word, or another machine's: the longer of two that share an index would be read beyond the scan.
  @Test(arguments: [
    [(3, 16), (3, 16), (3, 16), (3, 64)], [(0, 64), (0, 16)], [(0, 16), (1, 8), (1, 32), (2, 64)],
  ])
  func sharedByDifferentSizes(_ elements: [(Int, Int)]) throws {
    let formats = try elements.map { index, bits in
      (index, try SampleFormat(isBigEndian: false, isSigned: true, bits: bits, storageBits: bits, shift: 0))
    }
    #expect(throws: SampleFormatError.self) { try ScanLayout(formats) }
  }
}
