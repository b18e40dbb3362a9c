/// What a gyroscope is known by. Its number changes from boot to boot, its name may repeat.
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
    self.id = id
    self.name = name
    self.label = label
    self.location = location
    self.path = path
  }
}

/// Which of a machine's gyroscopes is read, and why. Pure.
package struct DeviceChoice: Equatable, Sendable {
  /// Index into the candidates.
  package let index: Int
  /// One sentence for people.
  package let why: String

  /// Chooses by what the configuration names, else the one in the display, else the first by number. nil
  /// where there is none, or none that was named.
  package init?(among candidates: [GyroscopeIdentity], wanted: String?) {
    if let wanted {
      guard let (index, what) = Self.named(wanted, candidates) else { return nil }
      self.index = index
      why = "\(candidates[index].id) has the \(what) \"\(wanted)\" that `device` names"
      return
    }
    let order = candidates.indices.sorted { Self.number(candidates[$0].id) < Self.number(candidates[$1].id) }
    guard let first = order.first else { return nil }
    if candidates.count == 1 {
      index = first
      why = "\(candidates[first].id) is the only gyroscope"
    } else if let display = order.first(where: { Self.place(candidates[$0])?.contains("display") == true }) {
      index = display
      why = "\(candidates[display].id) is said to be in the display, of \(candidates.count) gyroscopes"
    } else {
      index = first
      why =
        "\(candidates[first].id) is the first of \(candidates.count) gyroscopes and none is said to be in the "
        + "display; `device` in [sensor] names another"
    }
  }

  /// The first candidate by the kind of name that is least likely to change.
  private static func named(_ wanted: String, _ candidates: [GyroscopeIdentity]) -> (Int, String)? {
    let kinds: [(String, (GyroscopeIdentity) -> String?)] = [
      ("label", { $0.label }), ("location", { $0.location }), ("name", { $0.name }),
      ("path", { $0.path }), ("path", { $0.path.map(folder(of:)) }), ("id", { $0.id }),
    ]
    for (what, value) in kinds {
      if let index = candidates.firstIndex(where: { value($0) == wanted }) { return (index, what) }
    }
    return nil
  }

  private static func place(_ one: GyroscopeIdentity) -> String? { (one.label ?? one.location)?.lowercased() }

  private static func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
  }

  /// `iio:device10` comes after `iio:device2`.
  private static func number(_ id: String) -> Int {
    Int(id.reversed().prefix { $0.isASCII && $0.isNumber }.reversed().map(String.init).joined()) ?? .max
  }
}
