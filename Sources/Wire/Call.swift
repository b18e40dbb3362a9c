/// A call whose shape has been checked in full.
package struct Call: Equatable, Sendable {
  /// At most one of Varlink's three flags.
  package enum Mode: String, CaseIterable, Sendable { case single, more, oneway, upgrade }

  /// The full name as it was called.
  package var method: String
  package var mode: Mode
  /// What is asked, or why this cannot be: an error that the connection survives.
  package var request: Result<Request, ServiceError>

  package init(method: String, mode: Mode, request: Result<Request, ServiceError>) {
    self.method = method
    self.mode = mode
    self.request = request
  }
}

/// What a call asks for, with parameters in their ranges.
package enum Request: Equatable, Sendable {
  case getInfo
  /// The description's text is in `InterfaceDescription`.
  case getInterfaceDescription(interface: String)
  case subscribe(SubscribeOptions)
  case getMotion
  case getStatus
  case recenter
  /// Points in screen direction, y down.
  case pan(x: Double, y: Double)
  /// nil: the configuration's again; with `more` the same as true.
  case setReducedMotion(Bool?)
  /// - Parameter recenter: whether the offset becomes neutral at the same moment.
  case subscribeRaw(recenter: Bool)
  case openPage
  /// - Parameter nanoseconds: how long the device lies still; nil: as long as the daemon likes.
  case calibrate(nanoseconds: Int64?)
}

/// The parameters of `Subscribe`.
package struct SubscribeOptions: Equatable, Sendable {
  /// Of sample time since the last event sent; 0: every event.
  package var minIntervalNanoseconds: Int64 = 0
  /// Whether an event like the last one sent is left out.
  package var onlyChanges = true
  package var wantsRate = false
  package var wantsTilt = false
  /// Reduced motion for this subscriber alone.
  package var reducedMotion = false
  /// Degrees that this subscriber's picture is turned counter-clockwise: 0, 90, 180 or 270.
  package var screenRotation = 0
  /// About as many unread events may wait in the socket: 1–1024.
  package var backlog = 8
  /// A scene, or the name of one; what is in it is checked where scenes are known. Not part of what the server
  /// keeps of a stream.
  package var scene: JSONValue?

  package init() {}
}
