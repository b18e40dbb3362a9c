/// The `parameters` of a call, read one by one with their types and ranges. Null is as good as absent.
struct Parameters {
  private let members: KeyedDecodingContainer<MemberName>?
  /// Values in the whole message.
  private let valueCount: Int

  /// What tells a decoder how many values there are in its message.
  static let valuesInMessage = CodingUserInfoKey(rawValue: "values in message")

  /// - Throws: `ServiceError` where there are parameters that are no object.
  init(of envelope: KeyedDecodingContainer<MemberName>, _ decoder: any Decoder) throws {
    valueCount = Self.valuesInMessage.flatMap { decoder.userInfo[$0] as? Int } ?? 0
    let key = MemberName("parameters")
    guard envelope.contains(key), try !envelope.decodeNil(forKey: key) else {
      members = nil
      return
    }
    do {
      members = try envelope.nestedContainer(keyedBy: MemberName.self, forKey: key)
    } catch {
      throw ServiceError.invalidParameter("parameters")
    }
  }

  /// Refuses every other parameter: a misspelt one must not be ignored.
  func allow(_ names: [String]) throws(ServiceError) {
    let given = members?.allKeys.map(\.stringValue) ?? []
    let unknown = given.filter { !$0.isASCII || !names.contains($0) }.min { $0.isBefore($1) }
    if let unknown { throw .invalidParameter(unknown) }
  }

  /// Whether it is there and not null.
  func isGiven(_ name: String) -> Bool {
    guard let members, members.contains(MemberName(name)) else { return false }
    return (try? members.decodeNil(forKey: MemberName(name))) != true
  }

  func bool(_ name: String) throws(ServiceError) -> Bool? { try value(name, Bool.self) }

  /// An integer passes for a float.
  func double(_ name: String, in range: ClosedRange<Double>) throws(ServiceError) -> Double? {
    let number = try value(name, Double.self)
    if let number, !range.contains(number) { throw .invalidParameter(name) }
    return number
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(ServiceError) -> Int? {
    let number = try value(name, Int.self)
    if let number, !range.contains(number) { throw .invalidParameter(name) }
    return number
  }

  func requiredDouble(_ name: String, in range: ClosedRange<Double>) throws(ServiceError) -> Double {
    guard let number = try double(name, in: range) else { throw .invalidParameter(name) }
    return number
  }

  func requiredString(_ name: String) throws(ServiceError) -> String {
    guard let text = try value(name, String.self) else { throw .invalidParameter(name) }
    return text
  }

  /// A value whose meaning another room knows.
  ///
  /// - Parameter tooMany: thrown where the message has more values than one is looked through for.
  func anything(_ name: String, orElse tooMany: ServiceError) throws(ServiceError) -> JSONValue? {
    guard isGiven(name) else { return nil }
    guard valueCount <= JSONValue.maxValues else { throw tooMany }
    return try value(name, JSONValue.self)
  }

  private func value<Value: Decodable>(_ name: String, _ type: Value.Type) throws(ServiceError) -> Value? {
    guard let members, isGiven(name) else { return nil }
    do {
      return try members.decode(type, forKey: MemberName(name))
    } catch {
      throw .invalidParameter(name)
    }
  }
}
