import IIO
import Motion

extension Gyroscope {
  /// How raw values become rates, and what had to be assumed: a sentence each in `why`.
  ///
  /// - Parameter configuredMatrix: goes before what the kernel says.
  /// - Returns: the model, without a frequency, and where its matrix is from.
  func model(configuredMatrix: Matrix3?, why: inout [String]) -> (model: SensorModel, matrixFrom: String) {
    let scale = values(of: "scale", absent: 1, refused: { $0 == 0 || abs($0) > 1000 }, why: &why)
    let offset = values(of: "offset", absent: 0, refused: { abs($0) > 1e15 }, why: &why)
    let (matrix, source) = mountMatrix(configuredMatrix, why: &why)
    return (
      SensorModel(scale: scale, offset: offset, mountMatrix: matrix, noDataMark: noDataMark), source
    )
  }

  /// A number per axis, or one shared by them all.
  private func values(
    of name: String, absent: Double, refused: (Double) -> Bool, why: inout [String]
  ) -> Vector3 {
    var values: [Double] = []
    for (position, channel) in axes.enumerated() {
      let attribute = Attribute(channel, name)
      // A shared file is read once: a read can take seconds.
      if position > 0, attribute.exists, attribute.fileName == Attribute(axes[position - 1], name).fileName {
        values.append(values[position - 1])
        continue
      }
      values.append(value(attribute, of: channel, absent: absent, refused: refused, why: &why))
    }
    return Vector3(values[0], values[1], values[2])
  }

  private func value(
    _ attribute: Attribute, of channel: Channel, absent: Double, refused: (Double) -> Bool,
    why: inout [String]
  ) -> Double {
    guard attribute.exists else {
      // An absent offset is 0 by the ABI; an absent scale is a driver's fault.
      if absent != 0 { why.append("\(channel.id) has no \(attribute.name): \(plain(absent)) is assumed") }
      return absent
    }
    do throws(IIOError) {
      let text = try attribute.read()
      if let number = AttributeText.number(text), !refused(number) { return number }
      why.append("\(attribute.fileName) cannot be \"\(text.prefix(40))\": \(plain(absent)) is assumed")
    } catch {
      why.append("\(error): \(plain(absent)) is assumed")
    }
    return absent
  }

  private func plain(_ number: Double) -> String { "\(Int(number))" }

  /// The configuration's, else the axes' own, else the device's, else none.
  private func mountMatrix(_ configured: Matrix3?, why: inout [String]) -> (Matrix3, String) {
    if let configured { return (configured, "configuration") }
    for attribute in mountMatrixAttributes where attribute.exists {
      guard let text = try? attribute.read() else { continue }
      let file = attribute.fileName
      if let matrix = AttributeText.mountMatrix(text) { return (matrix, file) }
      why.append(
        "\(file) is no mount matrix (\"\(text.prefix(80))\"): none is used; `mount_matrix` in [sensor] sets one"
      )
      return (.identity, "none")
    }
    return (.identity, "none")
  }

  /// libiio takes `in_mount_matrix` for the attribute `matrix` of a channel `mount`.
  private var mountMatrixAttributes: [Attribute] {
    [Attribute(axes[0], "mount_matrix")]
      + (device.inputChannel("mount").map { [Attribute($0, "matrix")] } ?? [])
      + ["in_mount_matrix", "mount_matrix"].map { Attribute(device, $0) }
  }

  /// Bosch's gyroscopes of 16 bits give 0x8000 on all axes where they have no data.
  private var noDataMark: Double? {
    guard let name = device.name?.lowercased(), ["bmi", "bmg", "bmx"].contains(String(name.prefix(3))) else {
      return nil
    }
    guard let format = try? axes[0].format() else { return -32768 }
    return format.isSigned && format.bits == 16 ? -32768 : nil
  }
}
