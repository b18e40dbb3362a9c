/// An error that a reply carries: the standard's and the interface's own. Names and parameters are the wire's.
package enum ServiceError: Error, Equatable, Sendable {
  case interfaceNotFound(String)
  case methodNotFound(String)
  case methodNotImplemented(String)
  /// The parameter's name; `message`, `nesting` or `pipelining` where the message as a whole is wrong.
  case invalidParameter(String)
  case permissionDenied
  /// The method answers more than once: set `more`.
  case expectedMore

  /// A token of `StateReason`.
  case noSensor(reason: String)
  case deviceMoved
  case tooManySubscribers(limit: Int)
  case invalidScene(path: String, reason: String)
  /// Bytes.
  case messageTooLong(limit: Int)

  /// How a broken message is answered before its connection is closed.
  package init(_ violation: FramingViolation) {
    switch violation {
    case .malformed, .unfinished: self = .invalidParameter("message")
    case .tooDeep: self = .invalidParameter("nesting")
    case .tooLong(let limit): self = .messageTooLong(limit: limit)
    case .tooManyWaiting: self = .invalidParameter("pipelining")
    }
  }

  /// The full name on the wire.
  package var name: String {
    switch self {
    case .interfaceNotFound: "org.varlink.service.InterfaceNotFound"
    case .methodNotFound: "org.varlink.service.MethodNotFound"
    case .methodNotImplemented: "org.varlink.service.MethodNotImplemented"
    case .invalidParameter: "org.varlink.service.InvalidParameter"
    case .permissionDenied: "org.varlink.service.PermissionDenied"
    case .expectedMore: "org.varlink.service.ExpectedMore"
    case .noSensor: "org.parallaxd.Motion.NoSensor"
    case .deviceMoved: "org.parallaxd.Motion.DeviceMoved"
    case .tooManySubscribers: "org.parallaxd.Motion.TooManySubscribers"
    case .invalidScene: "org.parallaxd.Motion.InvalidScene"
    case .messageTooLong: "org.parallaxd.Motion.MessageTooLong"
    }
  }
}

extension JSONBuffer {
  /// A whole error reply with its end.
  package mutating func appendError(_ error: ServiceError, in form: MessageForm) {
    beginObject()
    key("error")
    value(error.name)
    key("parameters")
    beginObject()
    switch error {
    case .interfaceNotFound(let name): member("interface", name)
    case .methodNotFound(let name), .methodNotImplemented(let name): member("method", name)
    case .invalidParameter(let name): member("parameter", name)
    case .permissionDenied, .expectedMore, .deviceMoved: break
    case .noSensor(let reason): member("reason", reason)
    case .tooManySubscribers(let limit), .messageTooLong(let limit): member("limit", limit)
    case .invalidScene(let path, let reason):
      member("path", path)
      member("reason", reason)
    }
    endObject()
    endObject()
    end(in: form)
  }
}
