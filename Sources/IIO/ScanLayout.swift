/// A channel that is in scans: its place among the others, and how its values are written.
package typealias ScanElement = (index: Int, format: SampleFormat)

/// Where the values of a scan lie: in the order of their index, each at a multiple of its own size.
package struct ScanLayout: Equatable, Sendable {
  /// Bytes from the start of a scan, in the order in which the elements were given.
  package let offsets: [Int]
  /// Bytes from one scan to the next.
  package let size: Int

  /// - Parameter elements: the enabled channels' scan index and format. Two with one index share a value.
  /// - Throws: where those that share one are of different sizes: a driver, or another machine, that says so would have
  ///   the longer one read beyond the end of a scan.
  package init(_ elements: [ScanElement]) throws(SampleFormatError) {
    var offsets = [Int](repeating: 0, count: elements.count)
    var end = 0
    var previous: (index: Int, offset: Int, size: Int)?
    let order = elements.indices.sorted { elements[$0].index < elements[$1].index }
    for position in order {
      let element = elements[position]
      let size = element.format.size
      if let previous, previous.index == element.index {
        guard previous.size == size else {
          throw SampleFormatError(
            "two values of \(previous.size) and \(size) bytes are said to be in one place of a scan")
        }
        offsets[position] = previous.offset
        continue
      }
      let offset = (end + size - 1) / size * size
      offsets[position] = offset
      previous = (element.index, offset, size)
      end = offset + size
    }
    self.offsets = offsets
    size = end
  }
}
