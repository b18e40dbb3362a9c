import IIO

/// The gyroscopes among a machine's devices, and the devices that are nearly one.
struct GyroscopeSearch {
  /// A device that measures a rate and cannot be used.
  struct Unusable {
    let title: String
    let identity: GyroscopeIdentity
    /// `it measures the rate about z only`
    let reason: String
  }

  let gyroscopes: [Gyroscope]
  let unusable: [Unusable]
  /// Devices of any kind, without triggers.
  let deviceCount: Int

  init(_ devices: [Device]) {
    var gyroscopes: [Gyroscope] = []
    var unusable: [Unusable] = []
    for device in devices where !device.isTrigger {
      let reason: String
      if let gyroscope = Gyroscope(device) {
        guard let refusal = gyroscope.pollRefusal, (try? gyroscope.scanElements()) == nil else {
          gyroscopes.append(gyroscope)
          continue
        }
        reason = "it has no scans that can be read, and cannot be polled (\(refusal))"
      } else {
        // A shared scale alone makes a channel for libiio.
        let inputs = device.channels.filter { !$0.isOutput && ($0.isScanElement || $0.hasAttribute("raw")) }
          .map(\.id)
        guard let missing = Self.shortcoming(channels: inputs) else { continue }
        reason = missing
      }
      unusable.append(Unusable(title: device.title, identity: device.identity, reason: reason))
    }
    self.gyroscopes = gyroscopes
    self.unusable = unusable
    deviceCount = devices.count { !$0.isTrigger }
  }

  /// What a device with these input channels lacks of three axes; nil where it measures no rate at all. Pure.
  static func shortcoming(channels: [String]) -> String? {
    guard channels.contains(where: { $0.hasPrefix("anglvel") }) else { return nil }
    let axes = ["x", "y", "z"].filter { channels.contains("anglvel_\($0)") }
    return axes.isEmpty
      ? "it does not say about which axis it measures the rate"
      : "it measures the rate about \(axes.joined(separator: " and ")) only"
  }

  /// A sentence for each device that is passed over though it measures a rate.
  var passedOver: [String] { unusable.map { "\($0.title) is not chosen: \($0.reason)" } }

  /// The one that is to be read, and why; or why there is none.
  func choose(wanted: String?) throws(SensorFailure) -> (gyroscope: Gyroscope, why: [String]) {
    if let choice = DeviceChoice(among: gyroscopes.map(\.identity), wanted: wanted) {
      return (gyroscopes[choice.index], [choice.why] + passedOver)
    }
    if let wanted, let named = DeviceChoice(among: unusable.map(\.identity), wanted: wanted) {
      let one = unusable[named.index]
      throw SensorFailure(
        .noDevice, "`device` names \(one.title), which cannot be used: \(one.reason); three axes are needed")
    }
    if let wanted, !gyroscopes.isEmpty {
      throw SensorFailure(
        .noDevice,
        "no gyroscope is called \"\(wanted)\" as `device` wants: `parallaxd --list-sensors` shows what there is"
      )
    }
    let reasons = unusable.map { "; \($0.title) cannot be used: \($0.reason)" }.joined()
    let what =
      deviceCount == 0 ? "there is no IIO device" : "none of the IIO devices (\(deviceCount)) is a gyroscope"
    throw SensorFailure(.noDevice, "\(what): plug one in, or load its driver\(reasons)")
  }
}

extension Device {
  /// What it is known by.
  var identity: GyroscopeIdentity {
    GyroscopeIdentity(id: id, name: name, label: label, location: location, path: systemPath)
  }

  /// `display`, `base` or whatever the driver says.
  var location: String? { hasAttribute("location") ? try? read("location") : nil }
}
