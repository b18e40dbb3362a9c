import IIO

/// Scans that a part stores by itself, as the kernel's ABI shows it (sysfs-bus-iio, `buffer/hwfifo_…`). It is
/// in use while the buffer runs without a trigger.
struct HardwareFIFO {
  /// Scans that it holds; nil where the driver does not say.
  let capacity: Int?

  private static let longest = 1 << 20

  /// nil where the device has none, or is another machine's, whose files cannot be seen.
  init?(of device: Device) {
    guard device.isLocal else { return nil }
    let most = try? device.read("buffer/hwfifo_watermark_max")
    guard most != nil || (try? device.read("buffer/hwfifo_enabled")) != nil else { return nil }
    capacity = most.flatMap(Self.capacity(_:))
    // One that holds a single scan is none.
    if let capacity, capacity < 2 { return nil }
  }

  /// Reads what a driver prints. Pure.
  static func capacity(_ text: String) -> Int? {
    AttributeText.number(text).flatMap { $0 >= 0 ? Int(min($0, Double(longest))) : nil }
  }

  /// Whether it is in use, as far as the driver says; asked while the buffer runs.
  static func isInUse(by device: Device) -> Bool {
    guard let text = try? device.read("buffer/hwfifo_enabled") else { return true }
    return AttributeText.number(text) != 0
  }

  /// `the hardware's FIFO of 128 scans`
  var title: String { "the hardware's FIFO" + (capacity.map { " of \($0) scans" } ?? "") }
}
