import IIO

/// A device that measures the rate about three axes, or the angle turned about them from one scan to the
/// next; valid as long as its context lives.
struct Gyroscope {
  let device: Device
  /// x, y and z.
  let axes: [Channel]
  /// To be read with the axes; nil where there is none that can be trusted.
  var timestamp: Channel?
  /// Whether a scan is the angle turned since the one before (`in_deltaangl_*`), not a rate. Rates are
  /// preferred where a device gives both.
  let givesAngles: Bool

  /// nil where one of the axes is missing.
  init?(_ device: Device) {
    let axes = ["anglvel", "deltaangl"].map { quantity in
      ["x", "y", "z"].compactMap { device.inputChannel("\(quantity)_\($0)") }
    }
    guard let first = axes.firstIndex(where: { $0.count == 3 }) else { return nil }
    self.device = device
    self.axes = axes[first]
    givesAngles = first == 1
    // Stamps that cannot be read are as good as none.
    timestamp = device.inputChannel("timestamp").flatMap { channel in
      channel.isScanElement && (try? channel.format())?.repeatCount == 1 ? channel : nil
    }
  }

  /// What it is known by.
  var identity: GyroscopeIdentity { device.identity }

  /// `iio:device0 (bmi160)`
  var title: String { device.title }

  /// Scan index and format of x, y, z and, where there is one, the stamp; why scans cannot be read.
  func scanElements() throws(SampleFormatError) -> [ScanElement] {
    guard axes.allSatisfy(\.isScanElement) else {
      throw SampleFormatError("its driver gives no scans")
    }
    var elements: [ScanElement] = []
    for channel in axes + (timestamp.map { [$0] } ?? []) {
      let format = try channel.format()
      guard format.repeatCount == 1 else {
        throw SampleFormatError("\(channel.id) holds \(format.repeatCount) values")
      }
      elements.append((channel.index, format))
    }
    // What is no scan is said before anything is written to the device.
    _ = try ScanLayout(elements)
    return elements
  }

  /// Whether the same part measures accelerations too: other programs may want those.
  var hasAccelerometer: Bool { device.channels.contains { !$0.isOutput && $0.id.hasPrefix("accel_") } }

  /// Whether it is polled though it has a buffer.
  func isPolledForAutoRotation(_ configuration: IIOConfiguration) -> Bool {
    AutoRotation.wantsPolling(
      proxyRuns: configuration.autoRotationRuns, hasAccelerometer: hasAccelerometer, canBePolled: canBePolled)
  }

  /// Whether each axis can be read by itself.
  var canBePolled: Bool { pollRefusal == nil }

  /// Why the axes cannot be read one by one; nil where they can.
  var pollRefusal: String? {
    if givesAngles { return "what it turns between two readings would be lost" }
    return axes.allSatisfy { $0.hasAttribute("raw") } ? nil : "it has no raw values"
  }
}
