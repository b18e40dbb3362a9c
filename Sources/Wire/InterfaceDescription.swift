/// What the service says of itself: the texts of `GetInterfaceDescription` and the reply of `GetInfo`.
package enum InterfaceDescription {
  /// In the order of `GetInfo`.
  package static let names = ["org.varlink.service", "org.parallaxd.Motion"]

  /// The interface in Varlink's own language; nil for one that is not served.
  package static func text(of interface: String) -> String? {
    guard interface.isASCII else { return nil }
    return switch interface {
    case "org.varlink.service": service
    case "org.parallaxd.Motion": motion
    default: nil
    }
  }

  static let service = """
    # The Varlink Service Interface is provided by every varlink service. It
    # describes the service and the interfaces it implements.
    interface org.varlink.service

    # Get a list of all the interfaces a service provides and information
    # about the implementation.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Get the description of an interface that is implemented by this service.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The requested interface was not found.
    error InterfaceNotFound (interface: string)

    # The requested method was not found
    error MethodNotFound (method: string)

    # The interface defines the requested method, but the service does not
    # implement it.
    error MethodNotImplemented (method: string)

    # One of the passed parameters is invalid.
    error InvalidParameter (parameter: string)

    # Client is denied access
    error PermissionDenied ()

    # Method is expected to be called with 'more' set to true, but wasn't
    error ExpectedMore ()

    """
}

extension JSONBuffer {
  /// The reply of `GetInfo` with its end.
  package mutating func appendInfo(in form: MessageForm) {
    appendReply(in: form) { reply in
      reply.member("vendor", "parallaxd")
      reply.member("product", "parallaxd")
      reply.member("version", parallaxVersion)
      reply.member("url", "man:parallaxd(8)")
      reply.member("interfaces", InterfaceDescription.names)
    }
  }

  /// The reply of `GetInterfaceDescription` with its end.
  package mutating func appendDescription(of interface: String, in form: MessageForm) {
    guard let text = InterfaceDescription.text(of: interface) else {
      return appendError(.interfaceNotFound(interface), in: form)
    }
    appendReply(in: form) { $0.member("description", text) }
  }
}
