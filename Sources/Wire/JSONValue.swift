import FoundationEssentials

/// Any JSON value: of a parameter whose meaning another room knows.
package indirect enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  /// Infinite where it is too large for a double.
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue {
  /// Values in one text, or message, at most: the largest scene has under a thousand. Each costs microseconds, since the
  /// decoder has to be asked for one type after the other, and throws where it is another.
  package static let maxValues = 1024

  /// Reads a text of its own, such as a file: any bytes, held to the grammar, at most `maxNesting` deep.
  ///
  /// - Returns: nil where it is no JSON object, nested deeper, or of more than `maxValues` values.
  package init?(decoding text: UnsafeRawBufferPointer, maxNesting: Int = WireLimits().maxNesting) {
    // The same way in as for messages: nesting is bounded before anything recursive sees a byte.
    var input = MessageAccumulator(form: .varlink)
    var limits = WireLimits()
    limits.maxNesting = maxNesting
    limits.maxMessage = max(limits.maxMessage, text.count)
    guard !text.contains(0) else { return nil }
    input.append(text, limits: limits)
    withUnsafeBytes(of: UInt8(0)) { input.append($0, limits: limits) }
    guard input.violation == nil, input.waiting == 1,
      String(validating: text, as: UTF8.self) != nil,
      let values = JSONGrammar.values(in: text), values <= Self.maxValues,
      let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text))
    else { return nil }
    self = value
  }
}

extension JSONValue: Decodable {
  package init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: MemberName.self) {
      var object: [String: JSONValue] = [:]
      for key in members.allKeys {
        object[key.stringValue] =
          try members.decodeNil(forKey: key) ? .null : members.decode(JSONValue.self, forKey: key)
      }
      self = .object(object)
      return
    }
    if var elements = try? decoder.unkeyedContainer() {
      var list: [JSONValue] = []
      while !elements.isAtEnd {
        list.append(try elements.decodeNil() ? .null : elements.decode(JSONValue.self))
      }
      self = .list(list)
      return
    }
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let value = try? single.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? single.decode(Double.self) {
      self = .number(value)
    } else if let value = try? single.decode(String.self) {
      self = .text(value)
    } else {
      // The text is JSON: what is left is a number that no double can hold.
      self = .number(.infinity)
    }
  }
}

extension JSONBuffer {
  package mutating func member(_ name: StaticString, _ value: JSONValue) {
    key(name)
    self.value(value)
  }

  /// Members in the order of their names.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .boolean(let value): self.value(value)
    case .number(let value): self.value(value)
    case .text(let value): self.value(value)
    case .list(let values):
      beginArray()
      for value in values { self.value(value) }
      endArray()
    case .object(let members):
      beginObject()
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        key(text: name)
        self.value(value)
      }
      endObject()
    }
  }
}
