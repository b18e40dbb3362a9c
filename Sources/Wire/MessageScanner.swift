/// Finds where a JSON object ends by looking at each byte once: brackets and strings, no grammar. It stands
/// before the decoder so that nesting and framing are bounded before anything recursive sees a byte.
struct MessageScanner: Sendable {
  /// What a byte means for the message in progress.
  enum Step: Equatable {
    /// Between messages; belongs to none.
    case blank
    /// Part of the message.
    case part
    /// The end of a message that is one whole object so far as brackets tell; not part of it.
    case end(MessageForm)
    /// No message can come of it. The form is the one in which to answer.
    case violation(FramingViolation, MessageForm)
  }

  private enum Phase {
    /// Nothing but white space yet.
    case blank
    /// Inside the object, between strings.
    case structure
    case string
    /// After a backslash in a string.
    case escape
    /// The object is complete; only white space may follow.
    case whole
    /// Broken, but the form in which to say so shows only at the end of the message.
    case spoilt(FramingViolation)
  }

  private var phase = Phase.blank
  private var depth = 0

  /// Takes the next byte of the connection.
  ///
  /// - Parameter form: nil until the first message has ended.
  mutating func step(_ byte: UInt8, form: MessageForm?, maxNesting: Int) -> Step {
    if byte == 0 { return stepNUL(form: form) }
    if byte == UInt8(ascii: "\n"), form != .varlink, let step = stepNewline() { return step }
    switch phase {
    case .blank:
      if isWhiteSpace(byte) { return .blank }
      guard byte == UInt8(ascii: "{") else { return spoil(.malformed, form) }
      depth = 1
      phase = maxNesting < 1 ? .spoilt(.tooDeep(limit: maxNesting)) : .structure
    case .structure: return stepStructure(byte, form: form, maxNesting: maxNesting)
    case .string:
      if byte < 0x20 { return spoil(.malformed, form) }
      if byte == UInt8(ascii: "\"") { phase = .structure }
      if byte == UInt8(ascii: "\\") { phase = .escape }
    case .escape:
      if byte < 0x20 { return spoil(.malformed, form) }
      phase = .string
    case .whole:
      if !isWhiteSpace(byte) { return spoil(.malformed, form) }
    case .spoilt: break
    }
    return .part
  }

  private mutating func stepStructure(_ byte: UInt8, form: MessageForm?, maxNesting: Int) -> Step {
    switch byte {
    case UInt8(ascii: "\""): phase = .string
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      if depth > maxNesting { return spoil(.tooDeep(limit: maxNesting), form) }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if depth == 0 { phase = .whole }
    default: break
    }
    return .part
  }

  /// NUL ends every Varlink message. In JSON Lines one between messages passes like a blank line: some
  /// clients end each message in a newline *and* NUL.
  private mutating func stepNUL(form: MessageForm?) -> Step {
    let answerForm = form ?? .varlink
    switch phase {
    case .blank where form == .jsonLines: return .blank
    case .whole where form != .jsonLines:
      self = MessageScanner()
      return .end(.varlink)
    case .spoilt(let violation): return .violation(violation, answerForm)
    default: return .violation(.malformed, answerForm)
    }
  }

  /// A newline where lines may end messages; nil where it is white space between tokens.
  private mutating func stepNewline() -> Step? {
    switch phase {
    case .blank: return .blank
    case .structure: return nil
    case .whole:
      self = MessageScanner()
      return .end(.jsonLines)
    case .string, .escape: return .violation(.malformed, .jsonLines)
    case .spoilt(let violation): return .violation(violation, .jsonLines)
    }
  }

  private mutating func spoil(_ violation: FramingViolation, _ form: MessageForm?) -> Step {
    if let form { return .violation(violation, form) }
    phase = .spoilt(violation)
    return .part
  }

  private func isWhiteSpace(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
    default: false
    }
  }
}
