/// How one value lies in a scan: `be:s12/16>>4` is a signed number of 12 bits, four bits up in a big-endian
/// word of 16. The kernel's IIO ABI, `scan_elements/…_type`.
package struct SampleFormat: Equatable, Sendable {
  package let isBigEndian: Bool
  package let isSigned: Bool
  /// Bits of the value; from 1 to `storageBits`.
  package let bits: Int
  /// Bits of the word that holds it: 8, 16, 32 or 64.
  package let storageBits: Int
  /// Bits below the value; less than `storageBits`.
  package let shift: Int
  /// How many such values follow each other; 1 for all but quaternions and the like.
  package let repeatCount: Int
  /// The word needs neither masking nor sign extension after the shift (libiio's `S` and `U`).
  package let isFullyDefined: Bool

  /// Checks that the numbers describe something.
  package init(
    isBigEndian: Bool, isSigned: Bool, bits: Int, storageBits: Int, shift: Int, repeatCount: Int = 1,
    isFullyDefined: Bool = false
  ) throws(SampleFormatError) {
    guard [8, 16, 32, 64].contains(storageBits) else {
      throw SampleFormatError("a value is stored in \(storageBits) bits; 8, 16, 32 or 64 can be read")
    }
    guard (1...storageBits).contains(bits), (0..<storageBits).contains(shift) else {
      throw SampleFormatError("\(bits) bits shifted by \(shift) do not fit into \(storageBits)")
    }
    guard (1...16).contains(repeatCount) else {
      throw SampleFormatError("a value is repeated \(repeatCount) times; 1 to 16 can be read")
    }
    self.isBigEndian = isBigEndian
    self.isSigned = isSigned
    self.bits = bits
    self.storageBits = storageBits
    self.shift = shift
    self.repeatCount = repeatCount
    self.isFullyDefined = isFullyDefined || bits == storageBits
  }

  /// Bytes that it takes in a scan, and what its offset there is a multiple of.
  package var size: Int { storageBits / 8 * repeatCount }
}

/// A format that cannot be, or that is not read here.
package struct SampleFormatError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

extension SampleFormat {
  /// The value at `bytes`, which need not be aligned. An unsigned one of 64 bits keeps its bit pattern.
  @inline(__always)
  package func integer(at bytes: UnsafeRawPointer) -> Int64 {
    let shifted = word(at: bytes) >> UInt64(shift)
    let spare = UInt64(64 - (isFullyDefined ? storageBits : bits))
    let atTop = shifted << spare
    return isSigned ? Int64(bitPattern: atTop) >> Int64(spare) : Int64(bitPattern: atTop >> spare)
  }

  /// The value at `bytes`, rounded to the nearest Double where it has more than 53 bits.
  @inline(__always)
  package func value(at bytes: UnsafeRawPointer) -> Double {
    let integer = integer(at: bytes)
    return isSigned ? Double(integer) : Double(UInt64(bitPattern: integer))
  }

  @inline(__always)
  private func word(at bytes: UnsafeRawPointer) -> UInt64 {
    switch storageBits {
    case 8: return UInt64(bytes.loadUnaligned(as: UInt8.self))
    case 16: return UInt64(ordered(bytes.loadUnaligned(as: UInt16.self)))
    case 32: return UInt64(ordered(bytes.loadUnaligned(as: UInt32.self)))
    default: return ordered(bytes.loadUnaligned(as: UInt64.self))
    }
  }

  @inline(__always)
  private func ordered<Word: FixedWidthInteger>(_ word: Word) -> Word {
    isBigEndian ? Word(bigEndian: word) : Word(littleEndian: word)
  }
}

extension SampleFormat: CustomStringConvertible {
  /// As the kernel writes it: `le:s16/32>>0`.
  package var description: String {
    let times = repeatCount > 1 ? "X\(repeatCount)" : ""
    return "\(isBigEndian ? "be" : "le"):\(isSigned ? "s" : "u")\(bits)/\(storageBits)\(times)>>\(shift)"
  }
}
