import IIO

extension Gyroscope {
  /// °C of the part, where its driver says one; read before the buffer is on, since many refuse it then.
  ///
  /// As the kernel's sysfs-bus-iio has it: `in_temp_input`, or (`raw` + `offset`) · `scale`, in thousandths.
  var temperature: Double? {
    let channel = device.channels.first { $0.id == "temp" || $0.id == "temp0" }
    guard let channel else { return nil }
    func number(_ name: String) -> Double? { Attribute(channel, name).number }
    let degrees: Double
    if let input = number("input") {
      degrees = input / 1000
    } else if let raw = number("raw"), let scale = number("scale") {
      degrees = (raw + (number("offset") ?? 0)) * scale / 1000
    } else {
      return nil
    }
    return degrees.magnitude <= 300 ? degrees : nil
  }
}
