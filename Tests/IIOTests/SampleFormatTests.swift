import IIO
import TestSupport
import Testing

/// A context with one device of one channel of the given format, through libiio's XML backend.
func oneChannel(_ format: String) throws -> Context {
  let escaped = format.split(separator: ">>").joined(separator: "&gt;&gt;")
  return try Context(
    xml: """
      <?xml version="1.0" encoding="utf-8"?>
      <context name="xml"><device id="iio:device0" name="gyro">
      <channel id="anglvel_x" type="input"><scan-element index="0" format="\(escaped)"/></channel>
      </device></context>
      """)
}

@Suite struct SampleFormatTests {
  /// Endianness × sign × (bits, storage, shift): what kernel drivers have, and the corners.
  static let formats: [String] = {
    let sizes = [
      (8, 8, 0), (5, 8, 3), (1, 8, 7), (7, 8, 0), (16, 16, 0), (12, 16, 4), (12, 16, 0), (14, 16, 2),
      (1, 16, 0),
      (15, 16, 1), (32, 32, 0), (20, 32, 12), (24, 32, 0), (24, 32, 8), (16, 32, 0), (16, 32, 16),
      (31, 32, 1),
      (64, 64, 0), (48, 64, 0), (40, 64, 24), (63, 64, 1), (1, 64, 63), (33, 64, 5),
    ]
    return sizes.flatMap { bits, storage, shift in
      ["le", "be"].flatMap { order in
        ["s", "u", "S", "U"].map { "\(order):\($0)\(bits)/\(storage)>>\(shift)" }
      }
    }
  }()

  /// Every format gives what libiio's own conversion gives, on random bytes and on the extremes.
  @Test(arguments: formats)
  func agreesWithLibiio(text: String) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix64(seed: seed)
    let context = try oneChannel(text)
    defer { extendLifetime(context) }
    let found = context.devices.first?.inputChannel("anglvel_x")
    let channel = try #require(found)
    let format = try channel.format()
    let size = format.size
    for round in 0..<300 {
      let word = round == 0 ? 0 : round == 1 ? UInt64.max : generator.next()
      let source = withUnsafeBytes(of: word) { Array($0.prefix(size)) }
      var converted = [UInt8](repeating: 0, count: size)
      converted.withUnsafeMutableBytes { result in
        source.withUnsafeBytes { channel.convert($0.baseAddress!, into: result.baseAddress!) }
      }
      let ours = source.withUnsafeBytes { format.integer(at: $0.baseAddress!) }
      #expect(ours == host(converted, signed: format.isSigned), "\(text), bytes \(source), seed \(seed)")
    }
  }

  /// libiio's result: a number of the host's byte order in as many bytes.
  private func host(_ bytes: [UInt8], signed: Bool) -> Int64 {
    bytes.withUnsafeBytes { raw in
      switch (raw.count, signed) {
      case (1, true): Int64(raw.loadUnaligned(as: Int8.self))
      case (1, false): Int64(raw.loadUnaligned(as: UInt8.self))
      case (2, true): Int64(raw.loadUnaligned(as: Int16.self))
      case (2, false): Int64(raw.loadUnaligned(as: UInt16.self))
      case (4, true): Int64(raw.loadUnaligned(as: Int32.self))
      case (4, false): Int64(raw.loadUnaligned(as: UInt32.self))
      default: raw.loadUnaligned(as: Int64.self)
      }
    }
  }

  struct Known {
    var format: String
    var bytes: [UInt8]
    var value: Double
  }

  @Test(arguments: [
    Known(format: "le:s16/16>>0", bytes: [0x00, 0x80], value: -32768),
    Known(format: "be:s12/16>>4", bytes: [0xff, 0xf0], value: -1),
    Known(format: "be:s12/16>>4", bytes: [0x7f, 0xff], value: 2047),
    Known(format: "le:s20/32>>12", bytes: [0x00, 0xf0, 0xff, 0xff], value: -1),
    Known(format: "le:u24/32>>0", bytes: [0xff, 0xff, 0xff, 0xaa], value: 16_777_215),
    Known(format: "le:u64/64>>0", bytes: [0, 0, 0, 0, 0, 0, 0, 0x80], value: 9_223_372_036_854_775_808),
    Known(format: "be:s8/8>>0", bytes: [0x81], value: -127),
  ])
  func knownValues(known: Known) throws {
    let context = try oneChannel(known.format)
    defer { extendLifetime(context) }
    let found = context.devices.first?.inputChannel("anglvel_x")
    let format = try #require(found).format()
    #expect(format.description == known.format)
    #expect(known.bytes.withUnsafeBytes { format.value(at: $0.baseAddress!) } == known.value)
  }

  @Test(arguments: [
    (0, 16, 0), (17, 16, 0), (16, 0, 0), (16, 24, 0), (16, 128, 0), (12, 16, 16), (-1, 8, 0), (8, 8, -1),
  ])
  func refusesNonsense(bits: Int, storage: Int, shift: Int) {
    #expect(throws: SampleFormatError.self) {
      try SampleFormat(isBigEndian: false, isSigned: true, bits: bits, storageBits: storage, shift: shift)
    }
  }
}
