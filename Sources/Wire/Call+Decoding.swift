import FoundationEssentials

extension Call {
  /// Largest pan in one call, points either way.
  package static let maxPan: Double = 1_000_000
  /// How long a calibration may be asked to last: one window of rest at least, and nobody keeps a device still for
  /// longer.
  package static let calibrationSeconds: ClosedRange<Double> = 2...60

  /// Reads a message that `MessageAccumulator` has let through: its nesting is bounded.
  ///
  /// - Throws: the error to reply before the connection is closed: the message is no proper call. Duplicate
  ///   members are tolerated; which of them counts is not said.
  package init(decoding message: UnsafeRawBufferPointer) throws(ServiceError) {
    guard String(validating: message, as: UTF8.self) != nil, let values = JSONGrammar.values(in: message)
    else {
      throw .invalidParameter("message")
    }
    do {
      let decoder = JSONDecoder()
      if let key = Parameters.valuesInMessage { decoder.userInfo[key] = values }
      self = try decoder.decode(DecodedCall.self, from: Data(message)).call
    } catch let error as ServiceError {
      throw error
    } catch {
      throw .invalidParameter("message")
    }
  }
}

/// Any member's name.
struct MemberName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The envelope.
private struct DecodedCall: Decodable {
  let call: Call

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: MemberName.self)
    var mode = Call.Mode.single
    for key in members.allKeys.sorted(by: { $0.stringValue.isBefore($1.stringValue) }) {
      guard key.stringValue.isASCII else { throw ServiceError.invalidParameter(key.stringValue) }
      switch key.stringValue {
      case "method", "parameters": break
      case "more", "oneway", "upgrade":
        guard let isSet = try? members.decode(Bool.self, forKey: key) else {
          throw ServiceError.invalidParameter(key.stringValue)
        }
        guard isSet else { continue }
        guard mode == .single else { throw ServiceError.invalidParameter(key.stringValue) }
        mode = Call.Mode(rawValue: key.stringValue) ?? .single
      default: throw ServiceError.invalidParameter(key.stringValue)
      }
    }
    guard let method = try? members.decode(String.self, forKey: MemberName("method")) else {
      throw ServiceError.invalidParameter("method")
    }
    let parameters = try Parameters(of: members, decoder)
    let request: Result<Request, ServiceError>
    do throws(ServiceError) {
      request = .success(try Request(method: method, mode: mode, parameters))
    } catch {
      request = .failure(error)
    }
    call = Call(method: method, mode: mode, request: request)
  }
}

extension Request {
  fileprivate init(method: String, mode: Call.Mode, _ parameters: Parameters) throws(ServiceError) {
    // A protocol to change over to would have to be agreed on; there is none.
    if mode == .upgrade { throw .invalidParameter("upgrade") }
    guard method.isASCII else { throw Self.notFound(method) }
    switch method {
    case "org.varlink.service.GetInfo": self = try .getInfo.withoutParameters(parameters)
    case "org.varlink.service.GetInterfaceDescription":
      try parameters.allow(["interface"])
      self = .getInterfaceDescription(interface: try parameters.requiredString("interface"))
    case "org.parallaxd.Motion.Subscribe": self = .subscribe(try SubscribeOptions(parameters))
    case "org.parallaxd.Motion.SubscribeRaw":
      try parameters.allow(["recenter"])
      self = .subscribeRaw(recenter: try parameters.bool("recenter") ?? false)
    case "org.parallaxd.Motion.OpenPage": self = try .openPage.withoutParameters(parameters)
    case "org.parallaxd.Motion.GetMotion": self = try .getMotion.withoutParameters(parameters)
    case "org.parallaxd.Motion.GetStatus": self = try .getStatus.withoutParameters(parameters)
    case "org.parallaxd.Motion.Recenter": self = try .recenter.withoutParameters(parameters)
    case "org.parallaxd.Motion.Pan": self = try .pan(parameters)
    case "org.parallaxd.Motion.SetReducedMotion": self = try .setReducedMotion(parameters, mode)
    case "org.parallaxd.Motion.Calibrate":
      try parameters.allow(["duration"])
      let seconds = try parameters.double("duration", in: Call.calibrationSeconds)
      self = .calibrate(nanoseconds: seconds.map { Int64(($0 * 1e9).rounded()) })
    default: throw Self.notFound(method)
    }
    switch self {
    case .subscribe, .subscribeRaw: if mode != .more { throw .expectedMore }
    default: break
    }
  }

  /// The request, which has no parameters; any is an error.
  private func withoutParameters(_ parameters: Parameters) throws(ServiceError) -> Request {
    try parameters.allow([])
    return self
  }

  private static func pan(_ parameters: Parameters) throws(ServiceError) -> Request {
    try parameters.allow(["x", "y"])
    let range = -Call.maxPan...Call.maxPan
    return .pan(
      x: try parameters.requiredDouble("x", in: range), y: try parameters.requiredDouble("y", in: range))
  }

  private static func setReducedMotion(
    _ parameters: Parameters, _ mode: Call.Mode
  ) throws(ServiceError) -> Request {
    try parameters.allow(["enabled"])
    let enabled = try parameters.bool("enabled")
    // Held for as long as the connection lives: there is nothing to hold in "off".
    if mode == .more, enabled == false { throw .invalidParameter("enabled") }
    return .setReducedMotion(enabled)
  }

  private static func notFound(_ method: String) -> ServiceError {
    // By bytes: among characters a row of thousands of accents, which are one, costs as much as all else together.
    guard let dot = method.utf8.lastIndex(of: UInt8(ascii: ".")) else { return .interfaceNotFound(method) }
    let interface = String(method[..<dot])
    return interface.isASCII && InterfaceDescription.names.contains(interface)
      ? .methodNotFound(method) : .interfaceNotFound(interface)
  }
}

extension SubscribeOptions {
  fileprivate init(_ parameters: Parameters) throws(ServiceError) {
    self.init()
    try parameters.allow([
      "min_interval", "only_changes", "rate", "tilt", "reduced_motion", "screen_rotation", "scene", "backlog",
    ])
    if let seconds = try parameters.double("min_interval", in: 0...60) {
      minIntervalNanoseconds = Int64((seconds * 1e9).rounded())
    }
    if let value = try parameters.bool("only_changes") { onlyChanges = value }
    if let value = try parameters.bool("rate") { wantsRate = value }
    if let value = try parameters.bool("tilt") { wantsTilt = value }
    if let value = try parameters.bool("reduced_motion") { reducedMotion = value }
    if let value = try parameters.integer("screen_rotation", in: 0...270) {
      guard value % 90 == 0 else { throw .invalidParameter("screen_rotation") }
      screenRotation = value
    }
    if let value = try parameters.integer("backlog", in: 1...1024) { backlog = value }
    scene = try parameters.anything(
      "scene",
      orElse: .invalidScene(
        path: "scene", reason: "is too much: a call may have \(JSONValue.maxValues) values in all"))
  }
}
