/// A channel that is in scans: its place among the others, and how its values are written.
package typealias ScanElement = (index: Int, format: SampleFormat)

/// Where the values of a scan lie: in the order of their index, each at a multiple of its own size.
package struct ScanLayout: Equatable, Sendable {
  /// Bytes from the start of a scan, in the order in which the elements were given.
  package let offsets: [Int]
  /// Bytes from one scan to the next.
  package let size: Int

  /// - Parameter elements: the enabled channels' scan index and format. Two with one index share a value.
  package init(_ elements: [ScanElement]) {
    var offsets = [Int](repeating: 0, count: elements.count)
    var end = 0
    var previous: (index: Int, offset: Int)?
    let order = elements.indices.sorted { elements[$0].index < elements[$1].index }
    for position in order {
      let element = elements[position]
      if let previous, previous.index == element.index {
        offsets[position] = previous.offset
        continue
      }
      let size = element.format.size
      let offset = (end + size - 1) / size * size
      offsets[position] = offset
      previous = (element.index, offset)
      end = offset + size
    }
    self.offsets = offsets
    size = end
  }
}
