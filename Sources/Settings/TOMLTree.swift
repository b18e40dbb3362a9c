import Scene

/// A TOML document's entries as one value, tables and arrays inside one another.
struct TOMLTree {
  private indirect enum Node {
    case leaf(SceneValue)
    case table([String: Node])
    case array([Node])
  }

  private enum Step: Equatable {
    case member(String)
    case element(Int)
  }

  private var root = Node.table([:])

  /// Puts an entry in its place; entries come as `TOMLDocument` gives them with arrays.
  ///
  /// - Returns: false where its key has parts that are no bare keys.
  mutating func add(_ entry: TOMLEntry) -> Bool {
    guard let steps = Self.steps(entry.key) else { return false }
    Self.put(Self.node(entry.value), at: steps[...], in: &root)
    return true
  }

  var value: SceneValue { Self.value(of: root) }

  /// `layers[3].depth` as its three parts.
  private static func steps(_ key: String) -> [Step]? {
    var steps: [Step] = []
    for part in key.split(separator: ".", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      guard let name = pieces.first, !name.isEmpty, !name.contains("\"") else { return nil }
      steps.append(.member(String(name)))
      for piece in pieces.dropFirst() {
        guard piece.last == "]", let index = Int(piece.dropLast()) else { return nil }
        steps.append(.element(index))
      }
    }
    return steps
  }

  private static func put(_ new: Node, at steps: ArraySlice<Step>, in node: inout Node) {
    guard let step = steps.first else {
      // A table that its members made already stays.
      if case .leaf(let value) = node, value == .null { node = new }
      return
    }
    let rest = steps.dropFirst()
    switch step {
    case .member(let name):
      var members: [String: Node] = [:]
      if case .table(let present) = node { members = present }
      node = .leaf(.null)
      put(new, at: rest, in: &members[name, default: .leaf(.null)])
      node = .table(members)
    case .element(let index):
      var elements: [Node] = []
      if case .array(let present) = node { elements = present }
      node = .leaf(.null)
      // They come in their order.
      if index == elements.count { elements.append(.leaf(.null)) }
      if index < elements.count { put(new, at: rest, in: &elements[index]) }
      node = .array(elements)
    }
  }

  private static func node(_ value: TOMLValue) -> Node {
    switch value {
    case .table: .table([:])
    case .text(let text): .leaf(.text(text))
    case .integer(let integer): .leaf(.number(Double(integer)))
    case .number(let number): .leaf(.number(number))
    case .boolean(let boolean): .leaf(.boolean(boolean))
    case .numbers(let numbers): .leaf(.list(numbers.map { .number($0) }))
    // An array, whose elements follow and take its place; or a date, which is nothing that a scene has.
    case .other: .leaf(.number(.nan))
    }
  }

  private static func value(of node: Node) -> SceneValue {
    switch node {
    case .leaf(let value): value
    case .table(let members): .object(members.mapValues { value(of: $0) })
    case .array(let elements): .list(elements.map { value(of: $0) })
    }
  }
}
