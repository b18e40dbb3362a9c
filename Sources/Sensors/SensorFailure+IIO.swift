import Glibc
import IIO

extension SensorFailure {
  /// What a failed call on a gyroscope means to people.
  ///
  /// - Parameter node: of the device, where it is one of this machine; it tells which right is missing.
  init(_ error: IIOError, _ title: String, node: String? = nil) {
    if error.isPermission {
      self.init(
        .permission, "no right to use \(title) (\(error)): \(MissingRights(node: node).remedy)")
    } else if error.isBusy {
      self.init(.busy, "another program reads \(title) (\(error)): stop it, or name another device")
    } else if error.isGone {
      self.init(.noDevice, "\(title) is gone (\(error)): plug it in again")
    } else if error.isSilent {
      self.init(.noData, "\(title) gives no data (\(error))")
    } else {
      self.init(.noData, "\(title) cannot be read (\(error))")
    }
  }

  /// Why a machine's devices cannot be listed. Of this machine's the one is looked for that hides them all, which
  /// may block for seconds.
  init(opening uri: String?, _ error: IIOError) {
    if uri == nil || uri == "local:", let culprit = RefusedAttribute.find() {
      self.init(
        .noDevice,
        "libiio shows none of this machine's devices (\(error)), since \(culprit): mend or unload its driver")
      return
    }
    switch (uri, error.code) {
    case (nil, ENOENT), ("local:", ENOENT):
      self.init(
        .noDevice,
        "the kernel has no IIO devices (/sys/bus/iio/devices is absent): no driver of a sensor is loaded")
    case (.some(let uri), ENOSYS) where uri != "ip:",
      (.some(let uri), EINVAL) where !uri.hasPrefix("ip:") && !uri.hasPrefix("usb:"):
      self.init(.configuration, "`uri` \"\(uri)\" is none that libiio knows (ip:…, usb:…, local:)")
    case (.some(let uri), _) where uri != "local:":
      self.init(reaching: uri, error, isInUnit: Self.isInUnit)
    case _ where error.isPermission:
      self.init(.permission, "no right to list the IIO devices (\(error))")
    default:
      self.init(.noDevice, "no IIO devices (\(error))")
    }
  }

  /// What a sensor that gives one scan for ever means to people.
  init(_ stall: StallDetector.Stall, _ title: String) {
    // Not every raw value of 64 bits is an Int64.
    let scan = [stall.raw.x, stall.raw.y, stall.raw.z]
      .map { abs($0) < 1e15 ? "\(Int64($0))" : "\($0)" }.joined(separator: ", ")
    let what = stall.raw == .zero ? "nothing but zeros" : "the same scan (raw \(scan))"
    if stall.isOld {
      self.init(
        .noData,
        "\(title) still gives \(what) after it was switched off and on: turn the device, or load its driver anew"
      )
    } else {
      self.init(
        .noData,
        "\(title) has given \(what) for \(stall.nanoseconds / 1_000_000_000) s, which no gyroscope does that "
          + "works: it is switched off and on")
    }
  }
}
