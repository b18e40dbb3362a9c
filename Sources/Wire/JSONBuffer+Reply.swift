extension JSONBuffer {
  /// A whole reply with its end.
  ///
  /// - Parameters:
  ///   - continues: more replies to the same call follow.
  ///   - parameters: writes the members; none is an empty object.
  package mutating func appendReply(
    continues: Bool = false, in form: MessageForm, parameters: (inout JSONBuffer) -> Void = { _ in }
  ) {
    beginObject()
    key("parameters")
    beginObject()
    parameters(&self)
    endObject()
    if continues { member("continues", true) }
    endObject()
    end(in: form)
  }
}
