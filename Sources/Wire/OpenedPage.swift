/// The reply of `OpenPage`; the page's descriptor comes with its first byte.
package struct OpenedPage: Decodable, Equatable, Sendable {
  /// Of the page's layout.
  package var version: Int
  /// Bytes to be mapped.
  package var size: Int
  /// Index into the descriptors that come with the reply.
  package var fileDescriptor: Int

  package init(version: Int, size: Int, fileDescriptor: Int = 0) {
    self.version = version
    self.size = size
    self.fileDescriptor = fileDescriptor
  }
}

extension JSONBuffer {
  /// A whole reply with its end.
  package mutating func appendReply(_ page: OpenedPage, in form: MessageForm) {
    appendReply(in: form) {
      $0.member("version", page.version)
      $0.member("size", page.size)
      $0.member("fileDescriptor", page.fileDescriptor)
    }
  }
}
