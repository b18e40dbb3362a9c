import IIO
import Motion

/// Where the three axes and the stamp lie in a scan.
struct ScanDecoder {
  private struct Element {
    let offset: Int
    let format: SampleFormat
  }

  private let x: Element
  private let y: Element
  private let z: Element
  private let timestamp: Element?
  /// Bytes of a scan.
  let size: Int

  /// - Parameter elements: x, y, z and, where there is one, the stamp: scan index and format.
  init(axes elements: [(index: Int, format: SampleFormat)], hasTimestamp: Bool) {
    let layout = ScanLayout(elements)
    let all = zip(layout.offsets, elements).map { Element(offset: $0, format: $1.format) }
    x = all[0]
    y = all[1]
    z = all[2]
    timestamp = hasTimestamp ? all[3] : nil
    size = layout.size
  }

  /// One scan of `size` bytes; the time is the device's own, 0 where it has none.
  @inline(__always)
  func sample(at scan: UnsafeRawPointer) -> RawSample {
    RawSample(
      timestampNanoseconds: timestamp.map { $0.format.integer(at: scan + $0.offset) } ?? 0,
      raw: Vector3(
        x.format.value(at: scan + x.offset), y.format.value(at: scan + y.offset),
        z.format.value(at: scan + z.offset)))
  }
}
