import TestSupport
import Testing

@testable import Wire

@Suite struct CallTests {
  static let motion = "org.parallaxd.Motion."

  static let requests: [(String, Call.Mode, Request)] = [
    (#"{"method":"org.varlink.service.GetInfo"}"#, .single, .getInfo),
    (#"{"method":"org.varlink.service.GetInfo","parameters":null}"#, .single, .getInfo),
    (#"{"parameters":{},"oneway":true,"method":"org.varlink.service.GetInfo"}"#, .oneway, .getInfo),
    (#" {"method" : "org.varlink.service.GetInfo", "more" : false, "oneway": false}"#, .single, .getInfo),
    (
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"}}"#, .single,
      .getInterfaceDescription(interface: "a.b")
    ),
    (#"{"method":"org.parallaxd.Motion.GetMotion","more":true}"#, .more, .getMotion),
    (#"{"method":"org.parallaxd.Motion.GetStatus"}"#, .single, .getStatus),
    (#"{"method":"org.parallaxd.Motion.Recenter","oneway":true}"#, .oneway, .recenter),
    (
      #"{"method":"org.parallaxd.Motion.Pan","parameters":{"x":1,"y":-2.5e0}}"#, .single,
      .pan(x: 1, y: -2.5)
    ),
    // Which of two members of one name counts is not said; that it is tolerated is.
    (#"{"method":"org.parallaxd.Motion.Pan","parameters":{"x":1,"x":1,"y":0}}"#, .single, .pan(x: 1, y: 0)),
    (#"{"method":"org.parallaxd.Motion.SetReducedMotion"}"#, .single, .setReducedMotion(nil)),
    (
      #"{"method":"org.parallaxd.Motion.SetReducedMotion","parameters":{"enabled":false}}"#, .single,
      .setReducedMotion(false)
    ),
    (
      #"{"method":"org.parallaxd.Motion.SetReducedMotion","more":true,"parameters":{"enabled":null}}"#, .more,
      .setReducedMotion(nil)
    ),
    (
      #"{"method":"org.parallaxd.Motion.\u0050an","parameters":{"x":1000000,"y":0}}"#, .single,
      .pan(x: 1_000_000, y: 0)
    ),
  ]

  @Test(arguments: requests)
  func isUnderstood(_ message: String, _ mode: Call.Mode, _ request: Request) throws {
    let call = try decode(message)
    #expect(call.mode == mode)
    #expect(call.request == .success(request))
  }

  /// Errors that cost the connection.
  static let malformed: [(String, String)] = [
    ("{", "message"),
    ("[]", "message"),
    ("{}", "method"),
    (#"{"method":1}"#, "method"),
    (#"{"method":null}"#, "method"),
    (#"{"method":"a.B",}"#, "message"),
    (#"{"method":"a.B" "more":true}"#, "message"),
    (#"{'method':'a.B'}"#, "message"),
    (#"{"method":"a.B","more":1}"#, "more"),
    (#"{"method":"a.B","more":"true"}"#, "more"),
    (#"{"method":"a.B","oneway":null}"#, "oneway"),
    (#"{"method":"a.B","upgrade":[]}"#, "upgrade"),
    (#"{"method":"a.B","more":true,"oneway":true}"#, "oneway"),
    (#"{"method":"a.B","more":true,"upgrade":true}"#, "upgrade"),
    (#"{"method":"a.B","oneway":true,"upgrade":true}"#, "upgrade"),
    (#"{"method":"a.B","extra":0}"#, "extra"),
    (#"{"method":"a.B","More":true}"#, "More"),
    (#"{"method":"a.B","parameters":[]}"#, "parameters"),
    (#"{"method":"a.B","parameters":"x"}"#, "parameters"),
    (#"{"method":"a.B","parameters":{"x":01}}"#, "message"),
    (#"{"method":"a.B","parameters":{"x":NaN}}"#, "message"),
    (#"{"method":"a.\ud800"}"#, "method"),
  ]

  @Test(arguments: malformed)
  func costsTheConnection(_ message: String, _ parameter: String) {
    #expect(throws: ServiceError.invalidParameter(parameter)) { try decode(message) }
  }

  static let soundJSON = [
    "{}", "[]", " [ 1 , 2 ] ", "0", "-0", "10.25e-3", "1E+2", #""\u00e9\n\/""#, "true", "false", "null",
    "{\"a\":{\"b\":[{},[],\"\"]},\"a\":1}", "\t{\r\n}\n",
  ]

  static let brokenJSON = [
    "", " ", "{", "}", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{1:2}", #"{"a":1 "b":2}"#, "[1,]", "[,1]",
    "[1 2]",
    "[", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "Infinity", "tru", "truex", "nul", "'a'",
    #""a"#, #""\x""#, #""\u12g4""#, "\"\t\"", "{}{}", "1 2", "/**/1",
  ]

  @Test(arguments: [("1", 1), ("[]", 1), ("[1,[2,\"[3,4]\"],{}]", 6), (#"{"a":{"b":null},"c":[true]}"#, 5)])
  func valuesAreCounted(_ text: String, _ count: Int) {
    #expect(bytes(text).withUnsafeBytes { JSONGrammar.values(in: $0) } == count)
  }

  /// Decoding them takes the loop's time.
  @Test func aSceneOfThousandsOfValuesIsNotLookedInto() throws {
    func request(values: Int) throws -> Result<Request, ServiceError> {
      let list = [String](repeating: "1", count: values).joined(separator: ",")
      let text =
        #"{"method":"org.parallaxd.Motion.Subscribe","more":true,"parameters":{"scene":["# + list + "]}}"
      return try bytes(text).withUnsafeBytes { try Call(decoding: $0).request }
    }
    // The message, its method, flag and parameters, and the list itself.
    #expect(try request(values: JSONValue.maxValues - 5).get() != .getMotion)
    let tooMany = try request(values: JSONValue.maxValues - 4)
    guard case .failure(.invalidScene("scene", let reason)) = tooMany else {
      Issue.record("\(tooMany)")
      return
    }
    #expect(reason.contains("1024 values"))
  }

  @Test func theGrammarIsTheStandards() {
    for text in Self.soundJSON {
      #expect(bytes(text).withUnsafeBytes { JSONGrammar.values(in: $0) } != nil, "\(text)")
    }
    for text in Self.brokenJSON {
      #expect(bytes(text).withUnsafeBytes { JSONGrammar.values(in: $0) } == nil, "\(text)")
    }
  }

  @Test func brokenUTF8CostsTheConnection() {
    for broken: [UInt8] in [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80]] {
      let message = bytes(#"{"method":"a.B","parameters":{"x":""#) + broken + bytes(#""}}"#)
      #expect(throws: ServiceError.invalidParameter("message"), "\(broken)") {
        try decode(message)
      }
    }
  }

  /// Errors that the connection survives: method, parameters as JSON, flag and the error.
  static let refused: [(String, String, String, ServiceError)] = [
    ("a.B", "{}", "", .interfaceNotFound("a")),
    ("nothing", "{}", "", .interfaceNotFound("nothing")),
    ("org.parallaxd.Motion.Fly", "{}", "", .methodNotFound("org.parallaxd.Motion.Fly")),
    ("org.parallaxd.Motion.recenter", "{}", "", .methodNotFound("org.parallaxd.Motion.recenter")),
    ("org.varlink.service.Pan", "{}", "", .methodNotFound("org.varlink.service.Pan")),
    ("org.varlink.service.GetInfo", #"{"x":1}"#, "", .invalidParameter("x")),
    ("org.varlink.service.GetInterfaceDescription", "{}", "", .invalidParameter("interface")),
    ("org.varlink.service.GetInterfaceDescription", #"{"interface":3}"#, "", .invalidParameter("interface")),
    ("org.parallaxd.Motion.Calibrate", #"{"duration":1}"#, "", .invalidParameter("duration")),
    (
      "org.parallaxd.Motion.SubscribeRaw", #"{"recenter":1}"#, "more", .invalidParameter("recenter")
    ),
    ("org.parallaxd.Motion.GetStatus", "{}", "upgrade", .invalidParameter("upgrade")),
    ("org.parallaxd.Motion.GetMotion", #"{"rate":true}"#, "", .invalidParameter("rate")),
    ("org.parallaxd.Motion.Pan", #"{"x":1}"#, "", .invalidParameter("y")),
    ("org.parallaxd.Motion.Pan", #"{"x":null,"y":1}"#, "", .invalidParameter("x")),
    ("org.parallaxd.Motion.Pan", #"{"x":"1","y":1}"#, "", .invalidParameter("x")),
    ("org.parallaxd.Motion.Pan", #"{"x":true,"y":1}"#, "", .invalidParameter("x")),
    ("org.parallaxd.Motion.Pan", #"{"x":1e400,"y":1}"#, "", .invalidParameter("x")),
    ("org.parallaxd.Motion.Pan", #"{"x":0,"y":1000001}"#, "", .invalidParameter("y")),
    ("org.parallaxd.Motion.Pan", #"{"x":0,"y":0,"z":0,"a":0}"#, "", .invalidParameter("a")),
    ("org.parallaxd.Motion.SetReducedMotion", #"{"enabled":1}"#, "", .invalidParameter("enabled")),
    ("org.parallaxd.Motion.SetReducedMotion", #"{"enabled":false}"#, "more", .invalidParameter("enabled")),
    ("org.parallaxd.Motion.Subscribe", "{}", "", .expectedMore),
    ("org.parallaxd.Motion.Subscribe", "{}", "oneway", .expectedMore),
    ("org.parallaxd.Motion.Subscribe", #"{"min_interval":-0.1}"#, "more", .invalidParameter("min_interval")),
    ("org.parallaxd.Motion.Subscribe", #"{"min_interval":60.1}"#, "more", .invalidParameter("min_interval")),
    ("org.parallaxd.Motion.Subscribe", #"{"only_changes":0}"#, "more", .invalidParameter("only_changes")),
    ("org.parallaxd.Motion.Subscribe", #"{"rate":"yes"}"#, "more", .invalidParameter("rate")),
    ("org.parallaxd.Motion.Subscribe", #"{"tilt":1}"#, "more", .invalidParameter("tilt")),
    (
      "org.parallaxd.Motion.Subscribe", #"{"screen_rotation":45}"#, "more",
      .invalidParameter("screen_rotation")
    ),
    (
      "org.parallaxd.Motion.Subscribe", #"{"screen_rotation":360}"#, "more",
      .invalidParameter("screen_rotation")
    ),
    (
      "org.parallaxd.Motion.Subscribe", #"{"screen_rotation":-90}"#, "more",
      .invalidParameter("screen_rotation")
    ),
    ("org.parallaxd.Motion.Subscribe", #"{"backlog":0}"#, "more", .invalidParameter("backlog")),
    ("org.parallaxd.Motion.Subscribe", #"{"backlog":1025}"#, "more", .invalidParameter("backlog")),
    ("org.parallaxd.Motion.Subscribe", #"{"backlog":1.5}"#, "more", .invalidParameter("backlog")),
    ("org.parallaxd.Motion.Subscribe", #"{"backlog":1e300}"#, "more", .invalidParameter("backlog")),
    ("org.parallaxd.Motion.Subscribe", #"{"minInterval":1}"#, "more", .invalidParameter("minInterval")),
  ]

  @Test(arguments: refused)
  func isRefused(_ method: String, _ parameters: String, _ flag: String, _ error: ServiceError) throws {
    let flags = flag.isEmpty ? "" : ",\"\(flag)\":true"
    let call = try decode("{\"method\":\"\(method)\",\"parameters\":\(parameters)\(flags)}")
    #expect(call.request == .failure(error))
    #expect(call.mode.rawValue == (flag.isEmpty ? "single" : flag))
  }

  @Test func subscribeOptions() throws {
    func options(_ parameters: String) throws -> SubscribeOptions? {
      let call = try decode(
        #"{"method":"org.parallaxd.Motion.Subscribe","more":true,"parameters":\#(parameters)}"#)
      guard case .success(.subscribe(let options)) = call.request else { return nil }
      return options
    }
    let defaults = SubscribeOptions()
    #expect(try options("{}") == defaults)
    #expect(
      try options(
        #"{"min_interval":null,"only_changes":null,"rate":null,"tilt":null,"reduced_motion":null,"#
          + #""screen_rotation":null,"scene":null,"backlog":null}"#) == defaults)
    #expect(try options(#"{"tilt":false,"scene":null}"#) == defaults)
    var all = SubscribeOptions()
    all.minIntervalNanoseconds = 33_300_000
    all.onlyChanges = false
    all.wantsRate = true
    all.wantsTilt = true
    all.reducedMotion = true
    all.screenRotation = 270
    all.backlog = 1024
    #expect(
      try options(
        #"{"min_interval":0.0333,"only_changes":false,"rate":true,"tilt":true,"reduced_motion":true,"#
          + #""screen_rotation":270,"backlog":1024}"#) == all)
    #expect(try options(#"{"min_interval":60}"#)?.minIntervalNanoseconds == 60_000_000_000)
  }

  /// Broken calls of every kind: an error or a call, never a crash.
  @Test func fuzz() {
    let seed = UInt64.random(in: .min ... .max)
    print("call fuzz seed \(seed)")
    var random = SplitMix64(seed: seed)
    let sound = Self.requests.map(\.0)
    var survivors = 0
    for _ in 0..<3000 {
      var message = Array((sound.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<message.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: message[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: message.insert(bytes("{}[]\",:0et").randomElement(using: &random) ?? 0, at: place)
        default: if message.count > 1 { message.remove(at: place) }
        }
      }
      let call = try? decode(message)
      if let call {
        survivors += 1
        #expect(String(validating: message, as: UTF8.self) != nil, "seed \(seed)")
        if case .success(.pan(let x, let y)) = call.request {
          #expect(abs(x) <= Call.maxPan && abs(y) <= Call.maxPan, "seed \(seed)")
        }
      }
    }
    #expect(survivors > 0 && survivors < 3000, "seed \(seed)")
  }
}
