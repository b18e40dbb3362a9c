import Wire

/// The calls that the client makes, ready to be sent.
enum Calls {
  static let getStatus = call("org.parallaxd.Motion.GetStatus")
  static let openPage = call("org.parallaxd.Motion.OpenPage")
  static let recenter = call("org.parallaxd.Motion.Recenter")

  /// Points in screen direction, y down.
  static func pan(x: Double, y: Double) -> [UInt8] {
    call("org.parallaxd.Motion.Pan") {
      $0.member("x", x)
      $0.member("y", y)
    }
  }

  /// nil: the configuration's again.
  static func setReducedMotion(_ enabled: Bool?) -> [UInt8] {
    call("org.parallaxd.Motion.SetReducedMotion") {
      if let enabled { $0.member("enabled", enabled) }
    }
  }

  static func calibrate(seconds: Double) -> [UInt8] {
    call("org.parallaxd.Motion.Calibrate") { $0.member("duration", seconds) }
  }

  static func subscribe(_ wishes: SubscriptionWishes) -> [UInt8] {
    call("org.parallaxd.Motion.Subscribe", mode: .more) {
      if wishes.rates { $0.member("rate", true) }
      if wishes.tilt { $0.member("tilt", true) }
      if wishes.all {
        $0.member("only_changes", false)
        // Who wants every update wants them also after a busy moment.
        $0.member("backlog", mostBacklog)
      }
      if let seconds = wishes.minInterval { $0.member("min_interval", seconds) }
      if let scene = wishes.scene { $0.member("scene", scene) }
    }
  }

  /// Events; the protocol allows no more.
  private static let mostBacklog = 1024

  static func subscribeRaw(recenter: Bool) -> [UInt8] {
    call("org.parallaxd.Motion.SubscribeRaw", mode: .more) {
      if recenter { $0.member("recenter", true) }
    }
  }

  private static func call(
    _ method: String, mode: Call.Mode = .single, parameters: (inout JSONBuffer) -> Void = { _ in }
  ) -> [UInt8] {
    var buffer = JSONBuffer()
    buffer.appendCall(method, mode: mode, parameters: parameters)
    return buffer.bytes
  }
}
