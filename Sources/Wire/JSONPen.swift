import CNumbers

/// Writes JSON into memory of which there is known to be enough: of what has hundreds of numbers, asking for room at
/// each piece would cost more than the pieces. What does not fit is left out.
package struct JSONPen {
  private var next: UnsafeMutablePointer<UInt8>
  private let end: UnsafeMutablePointer<UInt8>

  fileprivate init(_ memory: UnsafeMutableBufferPointer<UInt8>, _ start: UnsafeMutablePointer<UInt8>) {
    next = start
    end = start + memory.count
  }

  fileprivate func count(from start: UnsafeMutablePointer<UInt8>) -> Int { next - start }

  /// Text that is JSON already.
  package mutating func write(_ text: StaticString) {
    write(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Bytes that are JSON already.
  package mutating func write(_ text: UnsafeRawBufferPointer) {
    guard let start = text.baseAddress, text.count <= end - next else { return }
    UnsafeMutableRawPointer(next).copyMemory(from: start, byteCount: text.count)
    next += text.count
  }

  /// As `JSONBuffer` writes numbers; finite ones.
  package mutating func write(_ number: Double) {
    next.withMemoryRebound(to: CChar.self, capacity: end - next) {
      next += cnumbers_format_double(number, $0, end - next)
    }
  }
}

extension JSONBuffer {
  /// A value of at most `capacity` bytes, which `write` puts down whole.
  package mutating func value(atMost capacity: Int, _ write: (inout JSONPen) -> Void) {
    append(atMost: capacity) { memory in
      guard let start = memory.baseAddress else { return 0 }
      var pen = JSONPen(memory, start)
      write(&pen)
      return pen.count(from: start)
    }
  }
}
