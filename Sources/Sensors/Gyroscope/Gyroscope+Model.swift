import IIO
import Motion

extension Gyroscope {
  /// How raw values become rates, without a frequency, and what had to be assumed.
  struct Reading {
    var model: SensorModel
    /// Where its matrix is from.
    var matrixFrom: String
    /// A sentence each for people.
    var why: [String] = []
    /// Those of `why` that somebody should see to.
    var warnings: [String] = []
  }

  /// Reads scale, offset and mount matrix; may block for seconds.
  ///
  /// - Parameters:
  ///   - configuredMatrix: goes before what the kernel says.
  ///   - devices: all of the machine, among them those of the same part.
  func reading(configuredMatrix: Matrix3?, among devices: [Device]) -> Reading {
    var why: [String] = []
    if givesAngles {
      why.append("it gives no rates: each is made of the angle turned since the scan before (deltaangl)")
    }
    var warnings: [String] = []
    let scale = values(
      of: "scale", absent: 1, refused: { $0 == 0 || abs($0) > SensorModel.largestScale }, why: &why,
      warnings: &warnings)
    if !warnings.isEmpty {
      warnings.append(
        "without a scale raw values count as rad/s: `multiplier` and `threshold` in [motion] can make up for "
          + "that")
    }
    let offset = values(
      of: "offset", absent: 0, refused: { abs($0) > SensorModel.largestOffset }, why: &why,
      warnings: &warnings)
    let matrix = mountMatrix(configured: configuredMatrix, among: devices)
    return Reading(
      model: SensorModel(
        scale: scale, offset: offset, mountMatrix: matrix.matrix, noDataMark: noDataMark),
      matrixFrom: matrix.source, why: why + warnings + matrix.warnings, warnings: warnings + matrix.warnings)
  }

  /// A number per axis, or one shared by them all.
  private func values(
    of name: String, absent: Double, refused: (Double) -> Bool, why: inout [String],
    warnings: inout [String]
  ) -> Vector3 {
    var values: [Double] = []
    for (position, channel) in axes.enumerated() {
      let attribute = Attribute(channel, name)
      // A shared file is read once: a read can take seconds.
      if position > 0, attribute.exists, attribute.fileName == Attribute(axes[position - 1], name).fileName {
        values.append(values[position - 1])
        continue
      }
      values.append(
        value(attribute, of: channel, absent: absent, refused: refused, why: &why, warnings: &warnings))
    }
    return Vector3(values[0], values[1], values[2])
  }

  private func value(
    _ attribute: Attribute, of channel: Channel, absent: Double, refused: (Double) -> Bool,
    why: inout [String], warnings: inout [String]
  ) -> Double {
    guard attribute.exists else {
      // An absent offset is 0 by the ABI; an absent scale is a driver's fault.
      if absent != 0 {
        warnings.append("\(channel.id) has no \(attribute.name): \(plain(absent)) is assumed")
      }
      return absent
    }
    do throws(IIOError) {
      let text = try attribute.read()
      if let number = AttributeText.number(text), !refused(number) {
        if let error = AttributeText.percentLost(of: text) {
          why.append(
            "\(attribute.fileName) \(text) is cut to nine decimals: it may be up to \(error) % too small")
        }
        return number
      }
      warnings.append("\(attribute.fileName) cannot be \"\(text.prefix(40))\": \(plain(absent)) is assumed")
    } catch {
      warnings.append("\(error): \(plain(absent)) is assumed")
    }
    return absent
  }

  private func plain(_ number: Double) -> String { "\(Int(number))" }

  /// Bosch's gyroscopes of 16 bits give 0x8000 on all axes where they have no data.
  private var noDataMark: Double? {
    guard let name = device.name?.lowercased(), ["bmi", "bmg", "bmx"].contains(String(name.prefix(3))) else {
      return nil
    }
    guard let format = try? axes[0].format() else { return -32768 }
    return format.isSigned && format.bits == 16 ? -32768 : nil
  }
}
