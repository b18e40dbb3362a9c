/// A message of a `SubscribeRaw` stream as a client reads it: a header or a batch, checked.
package enum RawMessage: Equatable, Sendable {
  case header(RawHeader)
  /// - Parameter dropped: scans that were lost before it.
  case batch([RawScan], dropped: Int64)
}

extension RawMessage: Decodable {
  private enum CodingKeys: String, CodingKey {
    case format, scale, offset, matrix, bias, frequency, noData, clock, name, label, path, restart, midStream,
      biasVariance
    case raw, values, dropped
    case timestampNanoseconds = "timestampNs"
    case timestampsNanoseconds = "timestampsNs"
  }

  /// Scans in a batch that a client takes.
  private static let largestBatch = 10_000

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    if members.contains(.scale) {
      self = .header(try Self.header(members))
      return
    }
    let newest = try members.decode(Int64.self, forKey: .timestampNanoseconds)
    let times = try members.decodeIfPresent([Int64].self, forKey: .timestampsNanoseconds) ?? [newest]
    let values =
      try members.decodeIfPresent([Int64].self, forKey: .raw)?.map { Double($0) }
      ?? members.decode([Double].self, forKey: .values)
    guard times.count <= Self.largestBatch, values.count == 3 * times.count else {
      throw ReplyError.malformed("\(values.count) values at \(times.count) times")
    }
    let scans = times.indices.map {
      RawScan(
        timestampNanoseconds: times[$0], x: values[3 * $0], y: values[3 * $0 + 1], z: values[3 * $0 + 2])
    }
    self = .batch(scans, dropped: try members.decodeIfPresent(Int64.self, forKey: .dropped) ?? 0)
  }

  private static func header(_ members: KeyedDecodingContainer<CodingKeys>) throws -> RawHeader {
    func numbers(_ key: CodingKeys, _ count: Int) throws -> [Double] {
      let numbers = try members.decode([Double].self, forKey: key)
      guard numbers.count == count, numbers.allSatisfy(\.isFinite) else {
        throw ReplyError.malformed("\(key.rawValue) has \(numbers.count) numbers")
      }
      return numbers
    }
    var header = RawHeader()
    header.format = try members.decodeIfPresent(String.self, forKey: .format) ?? header.format
    header.scale = try numbers(.scale, 3)
    header.offset = try numbers(.offset, 3)
    header.matrix = try numbers(.matrix, 9)
    if members.contains(.bias) { header.bias = try numbers(.bias, 3) }
    header.frequency = try members.decodeIfPresent(Double.self, forKey: .frequency)
    header.biasVariance = try members.decodeIfPresent(Double.self, forKey: .biasVariance)
    header.noData = try members.decodeIfPresent(Double.self, forKey: .noData)
    header.clock = try members.decodeIfPresent(String.self, forKey: .clock)
    header.name = try members.decodeIfPresent(String.self, forKey: .name)
    header.label = try members.decodeIfPresent(String.self, forKey: .label)
    header.path = try members.decodeIfPresent(String.self, forKey: .path)
    header.restart = try members.decodeIfPresent(Bool.self, forKey: .restart) ?? false
    header.midStream = try members.decodeIfPresent(Bool.self, forKey: .midStream) ?? false
    return header
  }
}
