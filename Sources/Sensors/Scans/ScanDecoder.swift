import IIO
import Motion

/// Where the three axes, the stamp and perhaps accelerations lie in a scan.
struct ScanDecoder {
  private struct Element {
    let offset: Int
    let format: SampleFormat
  }

  private let x: Element
  private let y: Element
  private let z: Element
  private let timestamp: Element?
  private let accelerations: InlineArray<3, Element>?
  private let reading: AccelerationReading?
  /// Bytes of a scan.
  let size: Int

  /// - Parameters:
  ///   - elements: x, y, z and, where there is one, the stamp: scan index and format.
  ///   - accelerations: the same of an accelerometer's x, y and z in these scans, and how they are read.
  /// - Throws: where these cannot be in one scan.
  init(
    axes own: [ScanElement], hasTimestamp: Bool,
    accelerations other: (elements: [ScanElement], reading: AccelerationReading)? = nil
  ) throws(SampleFormatError) {
    let elements = own + (other?.elements ?? [])
    let layout = try ScanLayout(elements)
    let all = zip(layout.offsets, elements).map { Element(offset: $0, format: $1.format) }
    x = all[0]
    y = all[1]
    z = all[2]
    timestamp = hasTimestamp ? all[3] : nil
    accelerations = other.map { _ in InlineArray { all[own.count + $0] } }
    reading = other?.reading
    size = layout.size
  }

  /// One scan of `size` bytes; the time is the device's own, 0 where it has none.
  @inline(__always)
  func sample(at scan: UnsafeRawPointer) -> RawSample {
    RawSample(
      timestampNanoseconds: timestamp.map { $0.format.integer(at: scan + $0.offset) } ?? 0,
      raw: Vector3(
        x.format.value(at: scan + x.offset), y.format.value(at: scan + y.offset),
        z.format.value(at: scan + z.offset)), acceleration: acceleration(at: scan))
  }

  /// m/s² in the device frame.
  @inline(__always)
  private func acceleration(at scan: UnsafeRawPointer) -> Vector3? {
    guard let accelerations, let reading else { return nil }
    return reading.acceleration(
      Vector3(
        accelerations[0].format.value(at: scan + accelerations[0].offset),
        accelerations[1].format.value(at: scan + accelerations[1].offset),
        accelerations[2].format.value(at: scan + accelerations[2].offset)))
  }
}
