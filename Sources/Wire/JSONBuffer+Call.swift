extension JSONBuffer {
  /// A whole call with its end, as a client sends it.
  ///
  /// - Parameters:
  ///   - method: the full name.
  ///   - parameters: writes the members.
  package mutating func appendCall(
    _ method: String, mode: Call.Mode = .single, in form: MessageForm = .varlink,
    parameters: (inout JSONBuffer) -> Void = { _ in }
  ) {
    beginObject()
    member("method", method)
    key("parameters")
    beginObject()
    parameters(&self)
    endObject()
    switch mode {
    case .single: break
    case .more: member("more", true)
    case .oneway: member("oneway", true)
    case .upgrade: member("upgrade", true)
    }
    endObject()
    end(in: form)
  }
}
