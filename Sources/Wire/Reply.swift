import FoundationEssentials

/// Why a message is no reply that a client can use.
package enum ReplyError: Error, Equatable, Sendable {
  /// The daemon answered with one of its errors.
  case service(ServiceError)
  /// An error of a name that this version does not know.
  case unknown(name: String)
  /// Not a reply, or not of the type that the method has.
  case malformed(String)
}

/// A reply as a client receives it.
package struct Reply<Parameters: Decodable & Sendable>: Sendable {
  package let parameters: Parameters
  /// Whether another reply to the same call follows.
  package let continues: Bool
}

/// The parameters of a reply that says nothing but that it was done.
package struct NoParameters: Decodable, Equatable, Sendable {
  package init() {}
}

extension Reply {
  /// Reads a reply without its end. Members that this version does not know are ignored: a newer daemon may
  /// have more of them.
  package init(decoding message: [UInt8]) throws(ReplyError) {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do {
      self = try decoder.decode(DecodedReply<Parameters>.self, from: Data(message)).reply
    } catch let error as ReplyError {
      throw error
    } catch {
      throw .malformed("\(error)")
    }
  }
}

private struct DecodedReply<Parameters: Decodable & Sendable>: Decodable {
  let reply: Reply<Parameters>

  private enum CodingKeys: String, CodingKey { case parameters, continues, error }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    if let name = try members.decodeIfPresent(String.self, forKey: .error) {
      let details =
        try members.decodeIfPresent(ErrorParameters.self, forKey: .parameters) ?? ErrorParameters()
      guard let error = ServiceError(name: name, details) else { throw ReplyError.unknown(name: name) }
      throw ReplyError.service(error)
    }
    reply = Reply(
      parameters: try members.decode(Parameters.self, forKey: .parameters),
      continues: try members.decodeIfPresent(Bool.self, forKey: .continues) ?? false)
  }
}

/// Every parameter that an error may have.
private struct ErrorParameters: Decodable {
  var interface: String?
  var method: String?
  var parameter: String?
  var reason: String?
  var path: String?
  var limit: Int?
}

extension ServiceError {
  fileprivate init?(name: String, _ details: ErrorParameters) {
    let candidates: [ServiceError] = [
      .interfaceNotFound(details.interface ?? ""), .methodNotFound(details.method ?? ""),
      .methodNotImplemented(details.method ?? ""), .invalidParameter(details.parameter ?? ""),
      .permissionDenied, .expectedMore, .noSensor(reason: details.reason ?? ""), .deviceMoved,
      .tooManySubscribers(limit: details.limit ?? 0),
      .invalidScene(path: details.path ?? "", reason: details.reason ?? ""),
      .messageTooLong(limit: details.limit ?? 0),
    ]
    guard let match = candidates.first(where: { $0.name == name }) else { return nil }
    self = match
  }
}
