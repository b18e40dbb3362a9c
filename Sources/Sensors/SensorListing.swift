import IIO
import Linux
import Motion
import Settings

/// What libiio sees, which gyroscope would be read, and why: a text for people.
///
/// Nothing is changed on any device. Reading attributes may block for seconds.
package enum SensorListing {
  /// - Returns: the text, with a line's end; whether there is a gyroscope that would be read.
  package static func make(_ settings: Settings) -> (text: String, found: Bool) {
    do throws(IIOError) {
      return describe(try Context(uri: settings.sensor.uri), settings)
    } catch {
      let failure = SensorFailure(opening: settings.sensor.uri, error)
      return ("No gyroscope: \(failure.text).\n\(withoutSensor)", false)
    }
  }

  private static func describe(_ context: borrowing Context, _ settings: Settings) -> (String, Bool) {
    let sensor = settings.sensor
    let devices = context.devices.filter { !$0.isTrigger }
    let gyroscopes = devices.compactMap { Gyroscope($0) }
    let choice = DeviceChoice(among: gyroscopes.map(\.identity), wanted: sensor.device)
    let chosen = choice.map { gyroscopes[$0.index].device.id }

    let place = sensor.uri.map { " at \($0)" } ?? ""
    var text = "libiio \(Context.libraryVersion) sees \(counted(devices.count, "device"))\(place).\n"
    for device in devices {
      text += "\n\(device.id.printable())  \((device.name ?? "(no name)").printable())"
      text += device.id == chosen ? "  <- this one\n" : "\n"
      if let gyroscope = Gyroscope(device) {
        for (name, value) in facts(of: gyroscope, among: context.devices, settings) {
          text += "  \(name.padded(to: 11))\(value.printable())\n"
        }
      } else {
        text += "  no gyroscope: it has not all of anglvel_x, anglvel_y and anglvel_z, nor of deltaangl_\n"
      }
    }
    text += "\n"
    if let choice {
      text += "Would read \(gyroscopes[choice.index].title.printable()): \(choice.why.printable()).\n"
    } else if gyroscopes.isEmpty {
      text += "No gyroscope: none of these devices measures a rate about three axes.\n\(withoutSensor)"
    } else {
      text +=
        "No gyroscope is called \"\((sensor.device ?? "").printable())\", as `device` in [sensor] wants: name "
      text += "one of the above by its label, location, name, path or id.\n"
    }
    return (text, choice != nil)
  }

  private static let withoutSensor =
    "Plug one in or load its driver; without one, `parallaxd --demo` and `parallaxd --replay TRACE` work.\n"

  private static func facts(of gyroscope: Gyroscope, among devices: [Device], _ settings: Settings)
    -> [(String, String)]
  {
    let identity = gyroscope.identity
    let configuration = IIOConfiguration(sensor: settings.sensor, motion: settings.motion)
    let reading = gyroscope.reading(configuredMatrix: settings.sensor.mountMatrix, among: devices)
    let (model, source) = (reading.model, reading.matrixFrom)
    let matrix = [model.mountMatrix.x, model.mountMatrix.y, model.mountMatrix.z]
      .map { "\($0.x), \($0.y), \($0.z)" }.joined(separator: "; ")
    let scale = model.scale
    let unit = gyroscope.givesAngles ? "rad a scan" : "rad/s"
    var facts = [
      ("label", identity.label), ("location", identity.location), ("path", identity.path),
    ].compactMap { name, value in value.map { (name, $0) } }
    facts += [
      ("buffer", buffer(of: gyroscope, among: devices)),
      ("poll", gyroscope.pollRefusal.map { "no: \($0)" } ?? "yes"),
      (
        "scale",
        scale == Vector3(repeating: scale.x)
          ? "\(scale.x) \(unit)" : "\(scale.x), \(scale.y), \(scale.z) \(unit)"
      ),
      ("frequency", frequency(of: gyroscope, asked: configuration.frequencyAsked)),
      ("matrix", source == "none" ? "none" : "\(matrix) (from \(source))"),
    ]
    return facts + reading.why.map { ("note", $0) }
  }

  private static func buffer(of gyroscope: Gyroscope, among devices: [Device]) -> String {
    let format: String
    do throws(SampleFormatError) {
      format = try gyroscope.scanElements()[0].format.description
    } catch {
      return "no: \(error)"
    }
    let device = gyroscope.device
    if device.isLocal, !device.mayUseBuffer {
      return "no: this user has not the right (`make install` sets it up)"
    }
    let stamps = gyroscope.timestamp == nil ? "no timestamps" : "timestamps"
    switch try? device.trigger() {
    case .set(let trigger): return "yes: \(format), \(stamps), trigger \(trigger?.name ?? "set")"
    case .unsupported, nil: return "yes: \(format), \(stamps), needs no trigger"
    case .some(.none):
      guard let own = gyroscope.ownTrigger(among: devices) else { return "no: it has no trigger" }
      return "yes: \(format), \(stamps), trigger \(own.name ?? own.id)"
    }
  }

  private static func frequency(of gyroscope: Gyroscope, asked: Double) -> String {
    guard let attribute = gyroscope.frequencyAttributes(trigger: nil).first else { return "cannot be set" }
    let now = (try? attribute.read()) ?? "unknown"
    let companion = attribute.companion("_available")
    let offered = companion.exists ? try? companion.read() : nil
    let nearest = offered.flatMap { AvailableFrequencies($0) }?.nearest(notBelow: asked)
    let would =
      nearest.map { ", would be set to \($0.text)" } ?? ", \(AttributeText.frequency(asked)) would be asked"
    return "\(now) Hz now\(would)" + (offered.map { "; offered: \($0)" } ?? "")
  }

  private static func counted(_ count: Int, _ what: String) -> String {
    count == 0 ? "no \(what)s" : count == 1 ? "one \(what)" : "\(count) \(what)s"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
