import TestSupport
import Testing

@testable import Sensors

@Suite struct StateRecordTests {
  private static let record = StateRecord(
    boot: "0123456789abcdef0123456789abcdef",
    device: .init(uri: "local:", id: "iio:device3", name: "a part %of\u{e9}", parent: ""),
    steps: [
      .device(attribute: "buffer/length", text: "2"),
      .device(attribute: "scan_elements/in_anglvel_x_en", text: "0"),
      .device(attribute: "trigger/current_trigger", text: "some trigger"),
      .device(attribute: "in_anglvel_sampling_frequency", text: "25.000000"),
      .channel(id: "anglvel_x", attribute: "sampling_frequency", text: ""),
      .trigger(name: "bmi160 dev0", attribute: "sampling_frequency", text: "100"),
      .noTrigger,
      .madeTrigger(name: "parallaxd-0"),
    ])

  private static func text(_ record: StateRecord) -> String {
    record.head + record.steps.map(StateRecord.line).joined()
  }

  @Test func whatIsWrittenIsRead() {
    #expect(StateRecord(parsing: Array(Self.text(Self.record).utf8)) == Self.record)
  }

  /// A process that was killed while it wrote: what was not written to the end was not done.
  @Test func aLineWithoutAnEndIsLeftOut() {
    let whole = Array(Self.text(Self.record).utf8)
    let head = Self.record.head.utf8.count
    for count in head...whole.count {
      let read = StateRecord(parsing: whole[..<count])
      let lines = whole[head..<count].count { $0 == UInt8(ascii: "\n") }
      #expect(read?.steps == Array(Self.record.steps.prefix(lines)), "\(count) bytes")
    }
    for count in 0..<head { #expect(StateRecord(parsing: whole[..<count]) == nil, "\(count) bytes") }
  }

  @Test(
    arguments: [
      "device ../../../etc/passwd x", "device buffer/enable 1", "device scan_elements/../x_en 1",
      "device in_anglvel_x_raw 1", "device buffer/length a%0ab", "device buffer/length",
      "device buffer/length 1 2",
      "device scan_elements/out_x_en/../in_en 1", "channel anglvel_x raw 1",
      "channel ../x sampling_frequency 1",
      "trigger t name x", "no-trigger x", "made-trigger ../../x", "made-trigger parallaxd/../x",
      "made-trigger other", "remove x", "", "device  buffer/length 1", "device buffer/length %g0",
      "device buffer/length %0",
    ])
  func nothingElseIsPutBack(line: String) {
    #expect(StateRecord(parsing: Array((Self.record.head + line + "\n").utf8)) == nil)
  }

  @Test(arguments: ["parallaxd-state 2", "", "boot x"])
  func otherVersionsAreNotRead(title: String) {
    let rest = Self.text(Self.record).split(separator: "\n", maxSplits: 1)[1]
    #expect(StateRecord(parsing: Array("\(title)\n\(rest)".utf8)) == nil)
  }

  @Test func whatIsTooLargeIsNotRead() {
    let many = Self.record.head + String(repeating: "no-trigger\n", count: 1000)
    #expect(StateRecord(parsing: Array(many.utf8)) == nil)
    #expect(StateRecord(parsing: [UInt8](repeating: 0x0a, count: StateRecord.largest + 1)) == nil)
  }

  /// Whatever bytes there are: a record with allowed steps, or none.
  @Test func mutatedBytes() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed: seed)
    let whole = Array(Self.text(Self.record).utf8)
    for _ in 0..<5000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0 ... .max, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(UInt8.random(in: 0 ... .max, using: &random), at: index)
        }
      }
      guard let record = StateRecord(parsing: bytes) else { continue }
      let areAllowed = record.steps.allSatisfy { $0.isAllowed }
      #expect(areAllowed, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<64)
  func namesOfJournals(number: Int) {
    // One hash in 16 begins with a zero.
    let device = StateRecord.Device(uri: "local:", id: "iio:device\(number)", name: "bmi160", parent: "")
    let path = StateFile.path(of: device, in: "/state")
    #expect(StateFile.isName(String(path.dropFirst("/state/".count))), "\(path)")
  }

  @Test(arguments: [
    "", ".state", "0.state", "0123456789abcdef", "0123456789ABCDEF.state", "0123456789abcde/.state",
    "0123456789abcdef0.state", "0123456789abcdef.state~", "..............+0.state",
  ])
  func namesOfOtherFiles(name: String) { #expect(!StateFile.isName(name)) }
}
