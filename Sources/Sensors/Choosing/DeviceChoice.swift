import Linux

/// What a gyroscope is known by, as it is shown: printable. Its number changes from boot to boot, its name may
/// repeat.
package struct GyroscopeIdentity: Equatable, Sendable {
  /// `iio:device0`
  package var id: String
  package var name: String?
  /// `gyro-display`
  package var label: String?
  /// `display`, `base` or whatever the driver says.
  package var location: String?
  /// In the tree of the hardware.
  package var path: String?

  package init(
    id: String, name: String? = nil, label: String? = nil, location: String? = nil, path: String? = nil
  ) {
    self.id = id.printable()
    self.name = name?.printable()
    self.label = label?.printable()
    self.location = location?.printable()
    self.path = path?.printable()
  }

  package var place: GyroscopePlace { GyroscopePlace(label: label, location: location) }

  /// The folder of the part that it belongs to.
  package var folder: String? { path.map { String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) } }

  /// Its label or location in quotes, to tell it from others; else where it hangs.
  fileprivate var mark: String {
    label.map { "label \"\($0)\"" } ?? location.map { "location \"\($0)\"" } ?? folder ?? id
  }
}

/// Which of a machine's gyroscopes is read, and why. Pure.
package struct DeviceChoice: Equatable, Sendable {
  /// Index into the candidates.
  package let index: Int
  /// One sentence for people.
  package let why: String

  /// Chooses by what the configuration names, else the one in the display, else the first by its place in
  /// the hardware. nil where there is none, or none that was named.
  package init?(among candidates: [GyroscopeIdentity], wanted: String?) {
    let order = candidates.indices.sorted { Self.precedes(candidates[$0], candidates[$1]) }
    let named = wanted.map { Self.named($0, candidates, order) }
    if let wanted, let (matches, what) = named {
      guard let first = matches.first else { return nil }
      index = first
      let sentence = "\(candidates[first].id) has the \(what) \"\(wanted)\" that `device` names"
      why =
        matches.count == 1
        ? sentence
        : "\(sentence), as \(matches.count) gyroscopes have; it is the one of "
          + "\(candidates[first].mark), \(Self.reason(matches.map { candidates[$0] }))"
      return
    }
    guard let first = order.first else { return nil }
    index = first
    why = Self.sentence(order.map { candidates[$0] })
  }

  /// Why the first of these, in their order, is read.
  private static func sentence(_ ordered: [GyroscopeIdentity]) -> String {
    let first = ordered[0]
    if ordered.count == 1 { return "\(first.id) is the only gyroscope" }
    switch first.place {
    case .display:
      let others = ordered.count { $0.place == .display }
      return "\(first.id) is said to be in the display (\(first.mark)), of \(ordered.count) gyroscopes"
        + (others > 1 ? "; \(others) are: \(advice)" : "")
    case .unknown where ordered[1].place == .elsewhere:
      return "\(first.id) is the only one of \(ordered.count) gyroscopes not said to be outside the display"
    case .unknown, .elsewhere:
      return "\(first.id) is the first of \(ordered.count) gyroscopes by its place in the hardware, and none "
        + "is said to be in the display; \(advice)"
    }
  }

  /// Why the first of several of one name is read.
  private static func reason(_ ordered: [GyroscopeIdentity]) -> String {
    ordered[0].place < ordered[1].place
      ? "nearer to the display" : "the first by its place in the hardware; \(advice)"
  }

  private static let advice = "`device` in [sensor] names one by label, location or path"

  /// The candidates, in the order given, with the kind of name that is least likely to change.
  private static func named(_ wanted: String, _ candidates: [GyroscopeIdentity], _ order: [Int])
    -> ([Int], String)
  {
    let path = wanted.count > 1 && wanted.hasSuffix("/") ? String(wanted.dropLast()) : wanted
    let kinds: [(String, (GyroscopeIdentity) -> Bool)] = [
      ("label", { $0.label == wanted }), ("location", { $0.location == wanted }),
      ("name", { $0.name == wanted }), ("path", { $0.path == path }), ("path", { $0.folder == path }),
      ("id", { [$0.id, "/sys/bus/iio/devices/\($0.id)", "/dev/\($0.id)"].contains(path) }),
    ]
    for (what, matches) in kinds {
      let found = order.filter { matches(candidates[$0]) }
      if !found.isEmpty { return (found, what) }
    }
    return ([], "")
  }

  /// The display's first, a label's word before a location's; then by the place in the hardware, which outlives
  /// a boot; last by the number.
  private static func precedes(_ one: GyroscopeIdentity, _ other: GyroscopeIdentity) -> Bool {
    if one.place != other.place { return one.place < other.place }
    let labelled = [one, other].map { GyroscopePlace(label: $0.label, location: nil) }
    if labelled[0] != labelled[1] { return labelled[0] < labelled[1] }
    if let a = one.folder, let b = other.folder, a != b { return NaturalOrder.precedes(a, b) }
    return NaturalOrder.precedes(one.id, other.id)
  }
}

/// The order in which people number things: `iio:device10` comes after `iio:device2`. Pure.
enum NaturalOrder {
  static func precedes(_ one: String, _ other: String) -> Bool {
    var a = Array(one.utf8)[...]
    var b = Array(other.utf8)[...]
    while let x = a.first, let y = b.first {
      if isDigit(x), isDigit(y) {
        let (left, right) = (digits(&a), digits(&b))
        if left.count != right.count { return left.count < right.count }
        if left != right { return left.lexicographicallyPrecedes(right) }
      } else if x != y {
        return x < y
      } else {
        a.removeFirst()
        b.removeFirst()
      }
    }
    return a.count < b.count
  }

  /// Takes the number at the start, without leading zeros.
  private static func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let number = rest.prefix(while: isDigit)
    rest = rest.dropFirst(number.count)
    return number.drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
