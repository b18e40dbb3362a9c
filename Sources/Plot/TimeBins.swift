/// What has happened in a span of time, which can be put together with what came after it.
package protocol Binned: Sendable {
  /// Takes in what came later.
  mutating func append(_ later: Self)
}

/// Spans of time, as many as fit: however long a recording is, it takes bounded memory and the whole is there to be
/// drawn.
///
/// Spans are equal. Where time goes on beyond the last, each two become one of double length; so in the end there are
/// more than half of `capacity` over the whole time, or each sample has its own.
package struct TimeBins<Bin: Binned>: Sendable {
  /// Seconds.
  private(set) var width: Double
  /// In their order; those in which nothing happened are not there.
  private(set) var bins: [Bin] = []
  /// The number of each bin's span.
  private var indices: [Int32] = []
  private let capacity: Int

  /// - Parameters:
  ///   - capacity: the most spans.
  ///   - width: seconds of a span at first.
  package init(capacity: Int, width: Double = 1e-6) {
    self.capacity = capacity
    self.width = width
    bins.reserveCapacity(capacity)
    indices.reserveCapacity(capacity)
  }

  /// - Parameter time: seconds from the beginning, not before that of the last.
  package mutating func add(_ bin: Bin, at time: Double) {
    while time / width >= Double(capacity) { halve() }
    let index = Int32(max(0, time / width))
    if indices.last == index {
      bins[bins.count - 1].append(bin)
    } else {
      bins.append(bin)
      indices.append(index)
    }
  }

  /// The same in at most `limit` spans.
  func reduced(to limit: Int) -> [Bin] {
    var copy = self
    while copy.bins.count > max(1, limit) { copy.halve() }
    return copy.bins
  }

  /// Makes each two spans one.
  private mutating func halve() {
    width *= 2
    var kept = 0
    for place in bins.indices {
      let index = indices[place] / 2
      if kept > 0, indices[kept - 1] == index {
        bins[kept - 1].append(bins[place])
      } else {
        bins[kept] = bins[place]
        indices[kept] = index
        kept += 1
      }
    }
    bins.removeLast(bins.count - kept)
    indices.removeLast(indices.count - kept)
  }
}
