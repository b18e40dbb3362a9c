import Motion

/// What motion effects come to, by key path: the effects on one key path add up.
///
/// An event may ask for all of them, many times a second: the numbers lie side by side, apart from the names.
struct InterpolatedValues: Equatable, Sendable {
  /// One effect's part of a value: the mean of its ends, and half their distance to each side.
  private struct Term: Equatable, Sendable {
    let isHorizontal: Bool
    let neutral: Double
    let span: Double

    init(_ effect: MotionEffect) {
      isHorizontal = effect.axis == .horizontal
      neutral = (effect.minimum + effect.maximum) / 2
      span = effect.maximum - effect.minimum
    }

    /// The mean at neutral, an end where the tilt is 1 either way.
    func value(at tilt: Tilt) -> Double { neutral + (isHorizontal ? tilt.x : tilt.y) * span / 2 }
  }

  /// In the order of the first effect of each.
  private(set) var keyPaths: [String] = []
  /// The terms of all, those of one key path together.
  private var terms: [Term] = []
  /// Where those of each key path end.
  private var ends: [Int] = []

  init(_ effects: [MotionEffect] = []) {
    // By their bytes: what is spelt otherwise is another key path, though it may look the same and be equal as text.
    var places: [[UInt8]: Int] = [:]
    var terms: [[Term]] = []
    for effect in effects {
      let name = Array(effect.keyPath.utf8)
      if let place = places[name] {
        terms[place].append(Term(effect))
      } else {
        places[name] = terms.count
        keyPaths.append(effect.keyPath)
        terms.append([Term(effect)])
      }
    }
    for one in terms {
      self.terms += one
      ends.append(self.terms.count)
    }
  }

  var count: Int { keyPaths.count }

  // No `for` in either: in a debug build its iterator allocates, and allocations are counted there too.

  /// The value without tilt.
  func neutral(_ index: Int) -> Double {
    var term = index == 0 ? 0 : ends[index - 1]
    var sum = terms[term].neutral
    term += 1
    while term < ends[index] {
      sum += terms[term].neutral
      term += 1
    }
    return sum
  }

  /// - Parameter tilt: −1 to 1 on each axis.
  func value(_ index: Int, at tilt: Tilt) -> Double {
    var term = index == 0 ? 0 : ends[index - 1]
    var sum = terms[term].value(at: tilt)
    term += 1
    while term < ends[index] {
      sum += terms[term].value(at: tilt)
      term += 1
    }
    return sum
  }
}
