/// Which known name somebody meant: a setting, a section, a command.
package enum NearestName {
  /// The nearest of `names` to `word`; nil where none is near enough to be a slip of the hand. The right key
  /// in the wrong section is as near as one wrong letter, a part of a key's name as two.
  ///
  /// Complexity: `names.count` · the product of two lengths; words longer than 64 bytes are not compared.
  package static func nearest(to word: String, among names: some Sequence<String>) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let lowered = word.lowercased()
    let bound = max(2, lowered.utf8.count / 3)
    var best: (name: String, distance: Int)?
    for name in names {
      var distance = distance(Array(lowered.utf8), Array(name.utf8))
      let (key, given) = (lastPart(of: name), lastPart(of: lowered))
      if key == given {
        distance = min(distance, 1)
      } else if given.utf8.count >= 4, key.hasPrefix(given) || key.hasSuffix(given) {
        distance = min(distance, 2)
      }
      if distance <= bound, distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }

  private static func lastPart(of name: String) -> Substring { name.split(separator: ".").last ?? "" }

  /// Insertions, deletions, replacements and swaps of neighbours that make `b` of `a` (optimal string
  /// alignment).
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1] + [Int](repeating: 0, count: b.count)
      for j in 0..<b.count {
        row[j + 1] = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
        }
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
