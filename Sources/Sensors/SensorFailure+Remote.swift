import Glibc
import IIO

// Sensors of another machine (`ip:`), and of a converter at a USB port that speaks as one (`usb:`).
extension SensorFailure {
  private static let dropInFolder = "/etc/systemd/system/parallaxd.service.d"

  /// Why a machine other than this one cannot be reached.
  ///
  /// - Parameter isInUnit: whether systemd has started this process: then it may be what stands between.
  package init(reaching uri: String, _ error: IIOError, isInUnit: Bool) {
    let isNetwork = uri.hasPrefix("ip:")
    let hint = isInUnit ? "; \(Self.dropIn(isNetwork, "may be what is missing"))" : ""
    switch error.code {
    case EAFNOSUPPORT, EPERM, EACCES:
      let remedy =
        isInUnit || isNetwork
        ? Self.dropIn(isNetwork, "is missing") : "run as root, or hand its node in /dev/bus/usb to this user"
      self.init(.permission, "no right to reach \(uri) (\(error)): \(remedy)")
    // Without a name libiio asks whether a machine announces itself.
    case _ where uri == "ip:":
      self.init(
        .noDevice, "`uri` \"ip:\" names no machine, and none announces itself: write ip:HOST or ip:HOST:PORT")
    // What libiio makes of EAI_NONAME and EAI_AGAIN.
    case ENOENT where isNetwork, ESRCH where isNetwork:
      self.init(.noDevice, "nobody knows the machine that `uri` \"\(uri)\" names\(hint)")
    case EINVAL:
      self.init(
        .noDevice,
        "what answers at \(uri) is no iiod, or `uri` is wrong (\(error)): look at what runs there\(hint)")
    case ECONNREFUSED:
      self.init(.noDevice, "no iiod answers at \(uri) (\(error)): start it there\(hint)")
    default:
      self.init(.noDevice, "\(uri) cannot be reached (\(error))\(hint)")
    }
  }

  /// The unit's own limits, and the example that lifts them.
  private static func dropIn(_ isNetwork: Bool, _ verdict: String) -> String {
    let name = isNetwork ? "network.conf" : "usb.conf"
    let limits = isNetwork ? "RestrictAddressFamilies= and IPAddressDeny=" : "DevicePolicy="
    return "\(dropInFolder)/\(name) \(verdict), without which the unit's \(limits) forbid it "
      + "(systemd/examples, or share/doc/parallaxd)"
  }

  /// Whether systemd has started this process (systemd.exec(5)).
  static var isInUnit: Bool { getenv("INVOCATION_ID") != nil }

  /// What to know of a sensor of another machine that is gone.
  static let staleList = "iiod lists what there was when it started: start it again after plugging in"
}
