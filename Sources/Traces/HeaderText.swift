/// The beginning of a file, cut into lines: what the layout is told from.
struct HeaderText {
  /// Whole lines only.
  private(set) var lines: [HeaderLine] = []
  /// LF, or CR where the first line ends in a CR alone.
  let lineEnd: UInt8
  /// Whether `lines` is all of the file.
  let isWhole: Bool

  /// Lines before the first row.
  private static let lineCountLimit = 1000

  /// - Parameters:
  ///   - bytes: the first `TraceLayout.headerLimit` bytes of the file; more are not looked at.
  ///   - isWhole: whether `bytes` is the whole file.
  init(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) throws(TraceError) {
    let bytes = Array(bytes.prefix(TraceLayout.headerLimit))
    self.isWhole = isWhole
    if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
      throw TraceError("the text is UTF-16; save it as UTF-8")
    }
    let end = bytes.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.count
    let isReturnAlone =
      end < bytes.count && bytes[end] == UInt8(ascii: "\r")
      && !bytes[(end + 1)...].starts(with: [UInt8(ascii: "\n")])
    lineEnd = isReturnAlone ? UInt8(ascii: "\r") : UInt8(ascii: "\n")

    var at = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0  // the byte order mark of UTF-8
    while at < bytes.count, lines.count < Self.lineCountLimit {
      let end = bytes[at...].firstIndex(of: lineEnd)
      guard end != nil || isWhole else { return }
      let next = end.map { $0 + 1 } ?? bytes.count
      lines.append(HeaderLine(number: lines.count + 1, bytes: bytes[at..<(end ?? bytes.count)], next: next))
      at = next
    }
  }
}

/// A line of a header.
struct HeaderLine {
  /// From 1.
  let number: Int
  /// Without its end.
  let bytes: ArraySlice<UInt8>
  /// Offset in the file of the line after it.
  let next: Int

  /// The text without blanks (and a CR) around it.
  var trimmed: String { String(decoding: bytes.trimmingBlanks(), as: UTF8.self) }

  var isBlank: Bool { bytes.trimmingBlanks().isEmpty }

  /// `# …` or `// …`
  var isComment: Bool {
    let text = bytes.trimmingBlanks()
    return text.starts(with: [UInt8(ascii: "#")])
      || text.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")])
  }

  /// The names in it; a `#` before the first is left out.
  func fields(separatedBy separator: UInt8) -> HeaderFields { HeaderFields(self, separator) }

  /// The fields as a person would see them: those of the separator that makes most, a blank only where there is
  /// no other.
  var likeliestFields: HeaderFields {
    var best = fields(separatedBy: HeaderFields.separators[0])
    for separator in HeaderFields.separators.dropFirst() {
      let candidate = fields(separatedBy: separator)
      let isBetter = candidate.names.count > best.names.count
      if separator == UInt8(ascii: " ") ? best.names.count == 1 : isBetter { best = candidate }
    }
    return best
  }
}

extension ArraySlice<UInt8> {
  /// Without blanks, TABs and CRs at both ends.
  func trimmingBlanks() -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
    var rest = self
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
