import TestSupport
import Testing

@testable import Traces

/// Files that nobody wrote: whatever the bytes are, reading them ends, and says one thing per row.
struct FuzzTests {
  @Test func mutatedFilesDoNoHarm() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var generator = SplitMix64(seed: seed)
    for _ in 0..<400 {
      for example in FormatTests.examples {
        let bytes = mutate(Array(example.text.utf8), &generator)
        let chunk = Int.random(in: 1...80, using: &generator)
        let columns =
          Int.random(in: 0..<8, using: &generator) == 0 ? randomMapping(&generator) : example.columns
        read(bytes, columns, chunk)
      }
    }
  }

  /// The same result in one piece and in many, no more samples and errors than lines, and errors of one line.
  private func read(_ bytes: [UInt8], _ columns: String?, _ chunk: Int) {
    let lines = bytes.count { $0 == 0x0a || $0 == 0x0d } + 1
    do {
      let whole = try TraceText(bytes, columns: columns)
      let pieces = try TraceText(bytes, columns: columns, chunk: chunk)
      #expect(whole.samples == pieces.samples)
      #expect(whole.errors == pieces.errors)
      #expect(whole.samples.count + whole.errors.count <= lines)
      for sample in whole.samples {
        #expect(sample.raw.x.isFinite && sample.raw.y.isFinite && sample.raw.z.isFinite)
        #expect(sample.timestampNanoseconds.magnitude <= 1 << 62)
      }
      for error in whole.errors { check(error) }
    } catch let error as TraceError {
      check(error)
    } catch {
      Issue.record("\(error)")
    }
  }

  private func check(_ error: TraceError) {
    #expect(error.description.utf8.count < 2000)
    #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
  }

  /// Some bytes changed, left out, doubled; pieces moved; numbers made odd.
  private func mutate(_ original: [UInt8], _ generator: inout SplitMix64) -> [UInt8] {
    let odd = [
      "\"", ",", ";", "\t", "\r", "\n", " ", "-", "+", "e", ".", "nan", "inf", "1e400",
      "99999999999999999999", "#",
      "//", "\u{0}", "\u{feff}", "t,x,y,z\n", "GYROFLOW IMU LOG\n",
    ]
    var bytes = original
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      guard !bytes.isEmpty else { return bytes }
      let at = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[at] = UInt8.random(in: .min ... .max, using: &generator)
      case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...20, using: &generator)))
      case 2: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 30)], at: at)
      case 3: bytes.insert(contentsOf: Array((odd.randomElement(using: &generator) ?? "").utf8), at: at)
      default: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator) / 4)
      }
    }
    return bytes
  }

  private func randomMapping(_ generator: inout SplitMix64) -> String {
    var bytes = Array("t=1:ms,x=GX:deg/s,y=\"3\":lsb=2,z=4:rad/s".utf8)
    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
      in: 0x20...0x7e, using: &generator)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func randomBytesDoNoHarm() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var generator = SplitMix64(seed: seed)
    for _ in 0..<300 {
      let count = Int.random(in: 0...300, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      read(bytes, nil, Int.random(in: 1...80, using: &generator))
      read(bytes, "t=1:ms,x=2:deg/s,y=3:deg/s,z=4:deg/s", Int.random(in: 1...80, using: &generator))
    }
  }

  /// What the quick way reads, the careful one reads too, to the same bits.
  @Test func bothWaysAgree() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var generator = SplitMix64(seed: seed)
    let layout = try TraceText("t,a,x,y,z\n").layout
    var quickOnes = 0
    for _ in 0..<5000 {
      let numbers = (0..<5).map { _ in
        Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 1000
      }
      let text = numbers.map { "\($0)" }.joined(separator: ",")
      var bytes = Array(text.utf8)
      if Bool.random(using: &generator) { bytes = mutate(bytes, &generator).filter { $0 != 0x0a } }
      let decoder = RowDecoder(layout: layout)
      bytes.withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress,
          let quick = decoder.quickSample(base, 0, bytes.count, bytes.count)
        else { return }
        quickOnes += 1
        var other = decoder
        #expect((try? other.carefulSample(base, 0, bytes.count)) == quick)
      }
    }
    #expect(quickOnes > 2000)
  }
}
