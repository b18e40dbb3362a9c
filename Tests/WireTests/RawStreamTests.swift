import TestSupport
import Testing

@testable import Wire

@Suite struct RawStreamTests {
  func written(_ scans: [RawScan], dropped: Int64 = 0) -> [UInt8] {
    var buffer = JSONBuffer()
    buffer.appendRawBatch(count: scans.count, dropped: dropped, in: .varlink) { scans[$0] }
    return buffer.bytes
  }

  func read(_ message: [UInt8]) throws -> RawMessage {
    let reply = try Reply<RawMessage>(decoding: message.last == 0 ? Array(message.dropLast()) : message)
    #expect(reply.continues)
    return reply.parameters
  }

  static let full: RawHeader = {
    var header = RawHeader()
    header.format = "decimal"
    header.scale = [0.001064724, -1e-9, 3]
    header.offset = [0, -3.25, 1e15]
    header.matrix = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    header.bias = [0.01, -0.02, 0]
    header.biasVariance = 2.5e-9
    header.frequency = 99.875
    header.noData = -32768
    header.clock = "monotonic"
    header.name = "a \"name\"\n"
    header.label = "label"
    header.path = "/sys/x"
    header.restart = true
    header.midStream = true
    return header
  }()

  @Test func batchesOnTheWire() {
    let one = RawScan(timestampNanoseconds: 5, x: 1, y: -2, z: 3)
    #expect(
      text(written([one])) == #"{"parameters":{"timestamp_ns":5,"raw":[1,-2,3]},"continues":true}·"#)
    let two = RawScan(timestampNanoseconds: 9, x: 4, y: 0, z: -32768)
    #expect(
      text(written([one, two], dropped: 7))
        == #"{"parameters":{"timestamp_ns":9,"timestamps_ns":[5,9],"raw":[1,-2,3,4,0,-32768],"dropped":7},"#
        + #""continues":true}·"#)
    let odd = RawScan(timestampNanoseconds: -1, x: 0.1, y: 2, z: 1e300)
    #expect(
      text(written([odd])) == #"{"parameters":{"timestamp_ns":-1,"values":[0.1,2,1e+300]},"continues":true}·"#
    )
  }

  @Test func whatDoesNotApplyIsLeftOut() {
    var buffer = JSONBuffer()
    buffer.appendReply(RawHeader(), in: .jsonLines)
    #expect(
      text(buffer.bytes)
        == #"{"parameters":{"format":"integer","scale":[1,1,1],"offset":[0,0,0],"#
        + #""matrix":[1,0,0,0,1,0,0,0,1],"bias":[0,0,0]},"continues":true}"# + "\n")
  }

  @Test(arguments: [RawHeader(), full])
  func headersReadBack(_ header: RawHeader) throws {
    var buffer = JSONBuffer()
    buffer.appendReply(header, in: .varlink)
    #expect(try read(buffer.bytes) == .header(header))
  }

  @Test func batchesReadBack() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("raw batches seed \(seed)")
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let isInteger = Bool.random(using: &random)
      func value() -> Double {
        let number = Double(Int64.random(in: -(1 << 53)...(1 << 53), using: &random))
        return isInteger ? number : number / 1e9
      }
      let scans = (0..<Int.random(in: 1...64, using: &random)).map { _ in
        RawScan(
          timestampNanoseconds: Int64.random(in: .min ... .max, using: &random), x: value(), y: value(),
          z: value())
      }
      let dropped = Int64.random(in: 0...3, using: &random)
      #expect(try read(written(scans, dropped: dropped)) == .batch(scans, dropped: dropped))
    }
  }

  @Test(arguments: [
    "{}", #"{"timestamp_ns":1}"#, #"{"timestamp_ns":1,"raw":[1,2]}"#, #"{"raw":[1,2,3]}"#,
    #"{"timestamp_ns":1,"timestamps_ns":[1,2],"raw":[1,2,3]}"#, #"{"timestamp_ns":1,"raw":[1,2,"3"]}"#,
    #"{"scale":[1,1],"offset":[0,0,0],"matrix":[1,0,0,0,1,0,0,0,1]}"#,
    #"{"scale":[1,1,1],"offset":[0,0,0],"matrix":[1,0,0,0,1,0,0,0,1,0]}"#, #"{"scale":1}"#,
  ])
  func nonsenseIsRefused(_ parameters: String) {
    #expect(throws: ReplyError.self) { try read(bytes(#"{"parameters":\#(parameters),"continues":true}"#)) }
  }

  @Test func everyFieldIsNamed() throws {
    let helper = DescriptionTests()
    let named = try helper.fieldNames(helper.block("method SubscribeRaw(recenter: ?bool) -> ("))
    var header = Self.full
    header.name = "name"
    var buffer = JSONBuffer()
    buffer.appendReply(header, in: .jsonLines)
    let scan = RawScan(timestampNanoseconds: 1, x: 1, y: 2, z: 3)
    let odd = RawScan(timestampNanoseconds: 1, x: 1.5, y: 2, z: 3)
    let all = [buffer.bytes, written([scan, scan], dropped: 1), written([odd])].map { text($0) }
    let members = Set(all.flatMap { helper.memberNames($0) }).subtracting(["parameters", "continues"])
    #expect(members == named)
  }

  @Test func calls() throws {
    let plain = try decode(#"{"method":"org.parallaxd.Motion.SubscribeRaw","more":true}"#)
    #expect(plain.request == .success(.subscribeRaw(recenter: false)))
    let recenter = try decode(
      #"{"method":"org.parallaxd.Motion.SubscribeRaw","parameters":{"recenter":true},"more":true}"#)
    #expect(recenter.request == .success(.subscribeRaw(recenter: true)))
    let once = try decode(#"{"method":"org.parallaxd.Motion.SubscribeRaw"}"#)
    #expect(once.request == .failure(.expectedMore))
  }
}
