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
    let devices = context.devices
    let search = GyroscopeSearch(devices)
    let end: String
    var chosen: String?
    do throws(SensorFailure) {
      let (gyroscope, why) = try search.choose(wanted: settings.sensor.device)
      chosen = gyroscope.device.id
      let how = plan(for: gyroscope, among: devices, settings)
      end =
        "Would read \(gyroscope.title.printable()): \(why.joined(separator: "; ").printable()).\n"
        + "How: \(how.printable()).\n"
    } catch {
      end =
        "No gyroscope: \(error.text.printable()).\n" + (search.gyroscopes.isEmpty ? withoutSensor : "")
    }
    let place = settings.sensor.uri.map { " at \($0)" } ?? ""
    var text = "libiio \(Context.libraryVersion) sees \(counted(search.deviceCount, "device"))\(place).\n"
    for device in devices where !device.isTrigger {
      text += "\n\(device.id.printable())  \((device.name ?? "(no name)").printable())"
      text += device.id == chosen ? "  <- this one\n" : "\n"
      if let gyroscope = search.gyroscopes.first(where: { $0.device.id == device.id }) {
        for (name, value) in facts(of: gyroscope, among: devices, settings) {
          text += "  \(name.padded(to: 11))\(value.printable())\n"
        }
      } else {
        let unusable = search.unusable.first { $0.identity.id == device.id }
        let missing = "it has not all of anglvel_x, anglvel_y and anglvel_z, nor of deltaangl_"
        text += "  no gyroscope: \(unusable?.reason ?? missing)\n"
      }
    }
    return ("\(text)\n\(end)", chosen != nil)
  }

  private static let withoutSensor =
    "Without one, `parallaxd --demo` and `parallaxd --replay TRACE` work.\n"

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
      ("frequency", frequency(of: gyroscope, among: devices, asked: configuration.frequencyAsked)),
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
    guard let starts = try? gyroscope.scanStarts(among: devices) else {
      return "no: its trigger cannot be read"
    }
    let ways = starts.order.map { way(of: $0, starts) }.joined(separator: ", else ")
    if starts.order == [.hrtimer], let obstacle = HrtimerTrigger.obstacle {
      return "no: it has no trigger, and \(Gyroscope.text(of: obstacle))"
    }
    return ways.isEmpty ? "no: it has no trigger" : "yes: \(format), \(stamps), \(ways)"
  }

  private static func frequency(of gyroscope: Gyroscope, among devices: [Device], asked: Double) -> String {
    let starts = try? gyroscope.scanStarts(among: devices)
    let trigger = starts.flatMap { $0.order.contains(.current) ? $0.current : $0.own }
    let attributes = gyroscope.frequencyAttributes(trigger: trigger)
    guard !attributes.isEmpty else { return "cannot be set" }
    let texts = attributes.map { attribute in
      let now = (try? attribute.read()) ?? "unknown"
      let offered = gyroscope.offered(for: attribute)
      let nearest = offered.flatMap { AvailableFrequencies($0) }?.nearest(notBelow: asked)
      let would =
        nearest.map { ", would be set to \($0.text)" } ?? ", \(AttributeText.frequency(asked)) would be asked"
      return "\(now) Hz now\(would)" + (offered.map { "; offered: \($0)" } ?? "")
    }
    return texts.joined(separator: "; then ")
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
