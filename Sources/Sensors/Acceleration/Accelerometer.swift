import Glibc
import IIO
import Linux
import Motion

/// The accelerometer of the part that a gyroscope belongs to; valid as long as its context lives.
///
/// Other programs turn the screen by it. In the gyroscope's own device its values come with the scans; of a device of
/// its own they are read one by one, and its buffer, of which there is one, is left to others.
struct Accelerometer {
  let device: Device
  /// x, y and z.
  let axes: [Channel]
  /// Whether it is in the gyroscope's own device.
  let isOwn: Bool

  /// Nanoseconds between two polled readings: gravity corrects what drifts over seconds.
  static let pollPeriodNanoseconds: Int64 = 40_000_000

  /// nil where the part has none with three axes.
  init?(beside gyroscope: Gyroscope, among devices: [Device]) {
    for device in [gyroscope.device] + gyroscope.siblings(among: devices) {
      guard let found = Accelerometer(device, isOwn: device.id == gyroscope.device.id) else { continue }
      self = found
      return
    }
    return nil
  }

  /// nil where one of the axes is missing.
  init?(_ device: Device, isOwn: Bool) {
    let axes = ["x", "y", "z"].compactMap { device.inputChannel("accel_\($0)") }
    guard axes.count == 3 else { return nil }
    self.device = device
    self.axes = axes
    self.isOwn = isOwn
  }

  var title: String { device.title }

  /// Whether its values can be read one by one.
  var canBePolled: Bool { axes.allSatisfy { $0.hasAttribute("raw") } }

  /// Scan index and format of x, y and z; nil where they are in no scans that can be read.
  func scanElements() -> [ScanElement]? {
    var elements: [ScanElement] = []
    for channel in axes {
      guard channel.isScanElement, let format = try? channel.format(), format.repeatCount == 1 else {
        return nil
      }
      elements.append((channel.index, format))
    }
    return elements
  }

  /// How its values are to be read; may block for seconds.
  ///
  /// Its matrix is the configured one, else its own, else the gyroscope's. One that mirrors an axis does no harm:
  /// which way gravity points is a matter of taste with accelerometers, and of no account here.
  ///
  /// - Parameter warnings: a sentence is added for each matrix of its own that is none.
  /// - Throws: why they cannot be read.
  func reading(configuredMatrix: Matrix3?, gyroscopeMatrix: Matrix3, warnings: inout [String])
    throws(SensorFailure) -> AccelerationReading
  {
    var scale: [Double] = []
    var offset: [Double] = []
    for channel in axes {
      guard let number = Attribute(channel, "scale").number, number != 0,
        abs(number) <= SensorModel.largestScale
      else { throw SensorFailure(.configuration, "\(title) has no scale") }
      scale.append(number)
      let zero = Attribute(channel, "offset").number
      offset.append(zero.map { abs($0) <= SensorModel.largestOffset ? $0 : 0 } ?? 0)
    }
    return AccelerationReading(
      scale: Vector3(scale[0], scale[1], scale[2]), offset: Vector3(offset[0], offset[1], offset[2]),
      matrix: configuredMatrix ?? ownMatrix(&warnings) ?? gyroscopeMatrix)
  }

  /// What its driver says of how it sits; nil where that is nothing, or the identity, which drivers print where they
  /// know nothing.
  private func ownMatrix(_ warnings: inout [String]) -> Matrix3? {
    let own = Attribute(axes[0], "mount_matrix")
    for (attribute, isShared) in [(own, false)] + device.sharedMountMatrices.map({ ($0, true) }) {
      guard attribute.exists, let text = try? attribute.read() else { continue }
      guard let matrix = AttributeText.mountMatrix(text) else {
        // As it is said where the gyroscope asks for it.
        let source = attribute.fileName + (isOwn && isShared ? "" : " of \(title)")
        warnings.append(MountMatrixChoice.isNone(source, text))
        continue
      }
      if matrix != .identity { return matrix }
    }
    return nil
  }
}

/// Reads the values of an accelerometer one by one. The `AccelerometerWorker`'s.
struct PolledAccelerometer {
  let accelerometer: Accelerometer
  let reading: AccelerationReading

  /// m/s² in the device frame. The axes are read one after another.
  func read() throws(IIOError) -> Vector3 {
    reading.acceleration(Vector3(try value(0), try value(1), try value(2)))
  }

  private func value(_ axis: Int) throws(IIOError) -> Double {
    try accelerometer.axes[axis].rawValue()
  }
}

extension Channel {
  /// One raw reading; may block for seconds.
  func rawValue() throws(IIOError) -> Double {
    guard let number = AttributeText.number(try read("raw")) else {
      throw IIOError(code: EINVAL, operation: "read a number from \(fileName(of: "raw") ?? id)")
    }
    return number
  }
}
