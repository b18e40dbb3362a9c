import Motion

/// Reads the four fields of a row, and accelerations where they are wanted. Pure and without allocation;
/// `decimalMark` is all it remembers.
struct RowDecoder {
  /// What is wrong with a row, and where; made into words only where somebody will read them.
  struct Fault: Error {
    enum Reason { case missing, notATime, notANumber, mixedMarks, tooLong }

    var reason: Reason
    /// 0 is the time; 1, 2, 3 are x, y, z.
    var role = 0
    /// Offsets of the field.
    var start = 0
    var end = 0
  }

  let separator: UInt8
  let slots: InlineArray<4, TraceLayout.Slot>
  let time: TimeScale
  /// The four fields from left to right.
  let first: Field
  let second: Field
  let third: Field
  let fourth: Field
  /// Nanoseconds per unit of time; 0 where that is no whole number.
  let wholeNanoseconds: UInt64
  let timeLimit: UInt64
  /// nil where there are none, or nobody wants them.
  let accelerations: AccelerationColumns?

  /// Characters of a number at most.
  static let longestNumber = 64
  /// The byte before a fraction, once a row has shown it: all rows must agree. A point from the start where
  /// commas separate.
  var decimalMark: UInt8?

  init(layout: TraceLayout, readsAcceleration: Bool = false) {
    accelerations = readsAcceleration ? layout.accelerations : nil
    separator = layout.separator
    slots = layout.slots
    time = layout.time
    first = Field(separators: slots[0].column, role: slots[0].role)
    second = Field(separators: slots[1].column - slots[0].column, role: slots[1].role)
    third = Field(separators: slots[2].column - slots[1].column, role: slots[2].role)
    fourth = Field(separators: slots[3].column - slots[2].column, role: slots[3].role)
    wholeNanoseconds = UInt64(layout.time.wholeNanoseconds)
    timeLimit = UInt64(DecimalNanoseconds.limit)
    decimalMark = layout.separator == UInt8(ascii: ",") ? UInt8(ascii: ".") : nil
  }

  /// Reads the row in `bytes[start..<end]`, without its line end.
  ///
  /// - Parameter limit: how many bytes there are; numbers are read eight bytes at a time, but never beyond it.
  @inline(__always)
  mutating func decode(
    _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, limit: Int
  ) throws(Fault) -> RawSample {
    var sample: RawSample
    if separator == UInt8(ascii: ","), let quick = quickSample(bytes, start, end, limit) {
      sample = quick
    } else {
      sample = try carefulSample(bytes, start, end)
    }
    if let accelerations { sample.acceleration = acceleration(bytes, start, end, accelerations) }
    return sample
  }

  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }
}
