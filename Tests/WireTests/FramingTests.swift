import TestSupport
import Testing

@testable import Wire

/// A stream of bytes and what it must become however it is cut; `·` is NUL.
struct FramingCase: CustomTestStringConvertible, Sendable {
  var input: String
  var messages: [String]
  var form: MessageForm?
  var violation: FramingViolation?
  var isUnfinished = false

  init(
    _ input: String, _ messages: [String], _ form: MessageForm?, _ violation: FramingViolation? = nil,
    isUnfinished: Bool = false
  ) {
    self.input = input
    self.messages = messages
    self.form = form
    self.violation = violation
    self.isUnfinished = isUnfinished
  }

  var testDescription: String { input.debugDescription }
}

@Suite struct FramingTests {
  static let cases = [
    FramingCase("", [], nil),
    FramingCase(#"{"a":1}·"#, [#"{"a":1}"#], .varlink),
    FramingCase(#"{"a":1}·{"b":2}·"#, [#"{"a":1}"#, #"{"b":2}"#], .varlink),
    FramingCase("{\"a\":1}\n", [#"{"a":1}"#], .jsonLines),
    FramingCase("{\"a\":1}\n{\"b\":2}\n", [#"{"a":1}"#, #"{"b":2}"#], .jsonLines),
    // Newlines between tokens are white space until the object is whole.
    FramingCase("{\n\"a\"\n:1\n}·", ["{\n\"a\"\n:1\n}"], .varlink),
    FramingCase("{\n\"a\":\n1}\n", ["{\n\"a\":\n1}"], .jsonLines),
    FramingCase("{}·{\n}\n·", ["{}", "{\n}\n"], .varlink),
    // CRLF and blank lines.
    FramingCase("{\"a\":1}\r\n\r\n{}\r\n", ["{\"a\":1}\r", "{}\r"], .jsonLines),
    FramingCase("\n\n \t\r\n{}\n", ["{}"], .jsonLines),
    FramingCase("\n{}·\n{}·", ["{}", "{}"], .varlink),
    // Both ends at once: the newline has ended the message, the NUL is blank.
    FramingCase("{}\n·{}\n·", ["{}", "{}"], .jsonLines),
    // Brackets, escapes and newlines' escapes inside strings are no structure.
    FramingCase(#"{"}":"\"}{[\\"}·"#, [#"{"}":"\"}{[\\"}"#], .varlink),
    FramingCase("{\"a\":\"\\n}\"}\n", [#"{"a":"\n}"}"#], .jsonLines),
    FramingCase("{\"ü\":\"€\"}\n", ["{\"ü\":\"€\"}"], .jsonLines),
    // Not ended yet.
    FramingCase("{", [], nil, isUnfinished: true),
    FramingCase("{}", [], nil, isUnfinished: true),
    FramingCase("{}· \n", ["{}"], .varlink),
    FramingCase("{}·{\n", ["{}"], .varlink, isUnfinished: true),
    FramingCase("hello", [], nil, isUnfinished: true),
    // Broken: answered in the form that the message's end shows.
    FramingCase("hello\n", [], .jsonLines, .malformed),
    FramingCase("hello·", [], .varlink, .malformed),
    FramingCase("[1]\n", [], .jsonLines, .malformed),
    FramingCase("{}x·", [], .varlink, .malformed),
    FramingCase("{}{}\n", [], .jsonLines, .malformed),
    FramingCase("·", [], .varlink, .malformed),
    FramingCase("{}··", ["{}"], .varlink, .malformed),
    FramingCase("{·", [], .varlink, .malformed),
    FramingCase("{\"a·", [], .varlink, .malformed),
    FramingCase("{\"a\n", [], .jsonLines, .malformed),
    FramingCase("{\"a\\\n", [], .jsonLines, .malformed),
    FramingCase("{}]\n", [], .jsonLines, .malformed),
    FramingCase("\u{feff}{}\n", [], .jsonLines, .malformed),
    FramingCase("{}\n{·", ["{}"], .jsonLines, .malformed),
    FramingCase("{}\nx", ["{}"], .jsonLines, .malformed),
    FramingCase("{}·x{}·", ["{}"], .varlink, .malformed),
    // Four levels are allowed here.
    FramingCase("{[[[]]]}·", ["{[[[]]]}"], .varlink),
    FramingCase("{[[[[]]]]}·", [], .varlink, .tooDeep(limit: 4)),
    FramingCase("{[[[{\n", [], .jsonLines, .tooDeep(limit: 4)),
    FramingCase("{}·{[[[[", ["{}"], .varlink, .tooDeep(limit: 4)),
    FramingCase(#"{"[[[[[[":[[["[[[[[["]]]}·"#, [#"{"[[[[[[":[[["[[[[[["]]]}"#], .varlink),
    // Forty bytes are allowed here, whatever the white space between messages.
    FramingCase(
      "{\(String(repeating: " ", count: 38))}·", ["{\(String(repeating: " ", count: 38))}"], .varlink),
    FramingCase("{\(String(repeating: " ", count: 39))}·", [], nil, .tooLong(limit: 40)),
    FramingCase("\(String(repeating: "\n", count: 100)){}\n", ["{}"], .jsonLines),
    FramingCase(String(repeating: "x", count: 41), [], nil, .tooLong(limit: 40)),
    FramingCase("{}\n{\"\(String(repeating: "x", count: 40))", ["{}"], .jsonLines, .tooLong(limit: 40)),
  ]

  static let limits: WireLimits = {
    var limits = WireLimits()
    limits.maxNesting = 4
    limits.maxMessage = 40
    return limits
  }()

  /// One cut in every place, and every byte by itself.
  @Test(arguments: cases)
  func isTheSameInWhateverPieces(_ example: FramingCase) {
    let input = bytes(example.input)
    let expected = Framed(
      messages: example.messages, form: example.form, violation: example.violation,
      isUnfinished: example.isUnfinished)
    for cut in 0...input.count {
      #expect(
        frame([Array(input[..<cut]), Array(input[cut...])], limits: Self.limits) == expected, "cut at \(cut)")
    }
    #expect(frame(input.map { [$0] }, limits: Self.limits) == expected)
  }

  @Test func messagesThatWaitAreBounded() {
    var limits = WireLimits()
    limits.maxPipelinedCalls = 3
    var accumulator = MessageAccumulator()
    let three = bytes("{}·{ }·{  }·")
    three.withUnsafeBytes { accumulator.append($0, limits: limits) }
    #expect(accumulator.waiting == 3)
    #expect(accumulator.violation == nil)
    #expect(accumulator.withNext { text($0) } == "{}")
    bytes("{   }·").withUnsafeBytes { accumulator.append($0, limits: limits) }
    #expect(accumulator.violation == nil)
    bytes("{    ").withUnsafeBytes { accumulator.append($0, limits: limits) }
    #expect(accumulator.violation == nil)
    bytes("}·").withUnsafeBytes { accumulator.append($0, limits: limits) }
    #expect(accumulator.violation == .tooManyWaiting(limit: 3))
    // Those that came before are still there, and nothing more is taken.
    bytes("{}·").withUnsafeBytes { accumulator.append($0, limits: limits) }
    var rest: [String] = []
    while let message = accumulator.withNext({ text($0) }) { rest.append(message) }
    #expect(rest == ["{ }", "{  }", "{   }"])
    #expect(accumulator.buffered == 0)
  }

  @Test func theEndInMidMessageIsAViolation() {
    var accumulator = MessageAccumulator()
    bytes("{}·{").withUnsafeBytes { accumulator.append($0, limits: WireLimits()) }
    accumulator.finish()
    #expect(accumulator.violation == .unfinished)
    #expect(accumulator.waiting == 1)

    var whole = MessageAccumulator()
    bytes("{}·\n ").withUnsafeBytes { whole.append($0, limits: WireLimits()) }
    whole.finish()
    #expect(whole.violation == nil)
  }

  @Test func bufferedBytesAreCountedAndGivenBack() {
    var accumulator = MessageAccumulator()
    bytes("{}·{ }·{").withUnsafeBytes { accumulator.append($0, limits: WireLimits()) }
    #expect(accumulator.buffered == 8)
    _ = accumulator.withNext { _ in }
    #expect(accumulator.buffered == 5)
    _ = accumulator.withNext { _ in }
    #expect(accumulator.buffered == 1)
    bytes("}·").withUnsafeBytes { accumulator.append($0, limits: WireLimits()) }
    #expect(accumulator.withNext { text($0) } == "{}")
    #expect(accumulator.buffered == 0)
  }

  /// A client that pipelines and reads its replies slowly: what was answered must not pile up behind what waits.
  @Test func memoryIsBoundedThoughSomethingAlwaysWaits() {
    var accumulator = MessageAccumulator()
    func message(_ index: Int) -> String { #"{"\#(index)":"\#(String(repeating: "x", count: 1000))"}"# }
    func feed(_ text: String) {
      bytes(text).withUnsafeBytes { accumulator.append($0, limits: WireLimits()) }
    }
    for index in 0..<3 { feed(message(index) + "·") }
    var most = 0
    for index in 0..<500 {
      #expect(accumulator.withNext { text($0) } == message(index))
      // In two pieces, the first of which ends in the midst of the next.
      let pieces = bytes(message(index + 3) + "·")
      pieces[..<700].withUnsafeBytes { accumulator.append($0, limits: WireLimits()) }
      #expect(accumulator.waiting == 2 && accumulator.isUnfinished)
      pieces[700...].withUnsafeBytes { accumulator.append($0, limits: WireLimits()) }
      #expect(text(accumulator.bufferedBytes).hasPrefix(message(index + 1)))
      most = max(most, accumulator.memory)
    }
    #expect(accumulator.waiting == 3)
    #expect(most <= 7 * message(999).utf8.count, "three wait, as much again may be in use")
  }

  /// What waits is moved in memory as others are handed out: the same messages come, at whatever pace they are taken.
  @Test func messagesTakenLateAreTheSame() {
    let seed = UInt64.random(in: .min ... .max)
    print("late framing seed \(seed)")
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      var accumulator = MessageAccumulator()
      var sent: [String] = []
      var taken: [String] = []
      for index in 0..<40 {
        let padding = String(repeating: "x", count: Int.random(in: 0...60, using: &random))
        sent.append(#"{"\#(index)":"\#(padding)"}"#)
        var rest = bytes(sent[index] + "·")[...]
        while !rest.isEmpty {
          let count = Int.random(in: 1...rest.count, using: &random)
          rest.prefix(count).withUnsafeBytes { accumulator.append($0, limits: WireLimits()) }
          rest = rest.dropFirst(count)
          if accumulator.waiting > Int.random(in: 0...12, using: &random) {
            taken += accumulator.withNext { [text($0)] } ?? []
          }
        }
      }
      while let message = accumulator.withNext({ text($0) }) { taken.append(message) }
      #expect(taken == sent, "seed \(seed)")
      #expect(accumulator.memory == 0, "seed \(seed)")
    }
  }

  /// Bytes that are likely to hit structure, cut at random: never a crash, the same however it is cut, and
  /// every message is an object within the bounds.
  @Test func fuzz() {
    let seed = UInt64.random(in: .min ... .max)
    print("framing fuzz seed \(seed)")
    var random = SplitMix64(seed: seed)
    let alphabet = bytes("{}[]\"\\,:·\n\r \tax1é\u{1}")
    for _ in 0..<3000 {
      let input = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      let whole = frame([input], limits: Self.limits)
      var pieces: [[UInt8]] = []
      var rest = input[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &random)
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(frame(pieces, limits: Self.limits) == whole, "seed \(seed): \(input)")
      for message in whole.messages {
        // Scalars: a byte that is no UTF-8 has become one.
        #expect(message.hasPrefix("{") && message.unicodeScalars.count <= 40, "seed \(seed): \(message)")
        #expect(whole.form != .varlink || !message.contains("·"), "seed \(seed)")
      }
    }
  }
}
