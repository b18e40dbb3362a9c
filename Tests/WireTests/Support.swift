import Testing

@testable import Wire

/// Bytes of a text; `·` stands for NUL.
func bytes(_ text: String) -> [UInt8] { text.utf8.flatMap { [$0] }.replacing(Array("·".utf8), with: [0]) }

func text(_ bytes: some Sequence<UInt8>) -> String {
  String(decoding: Array(bytes), as: UTF8.self).replacing("\0", with: "·")
}

/// What became of a stream of bytes.
struct Framed: Equatable {
  var messages: [String] = []
  var form: MessageForm?
  var violation: FramingViolation?
  var isUnfinished = false
}

/// Feeds pieces to an accumulator that is emptied after each of them.
func frame(_ pieces: [[UInt8]], limits: WireLimits = WireLimits()) -> Framed {
  var accumulator = MessageAccumulator()
  var result = Framed()
  for piece in pieces {
    piece.withUnsafeBytes { accumulator.append($0, limits: limits) }
    while let message = accumulator.withNext({ text($0) }) { result.messages.append(message) }
  }
  result.form = accumulator.form
  result.violation = accumulator.violation
  result.isUnfinished = accumulator.isUnfinished
  return result
}

func decode(_ message: [UInt8]) throws -> Call {
  try message.withUnsafeBytes { try Call(decoding: $0) }
}

func decode(_ message: String) throws -> Call { try decode(bytes(message)) }
