import Linux
import Testing

@testable import parallaxctl

struct ArgumentsTests {
  static let understood: [(words: [String], command: Command, socket: String?)] = [
    (["status"], .status(json: false), nil),
    (["status", "--json"], .status(json: true), nil),
    (["--socket", "/a", "status"], .status(json: false), "/a"),
    (["status", "--socket=/b"], .status(json: false), "/b"),
    (["--socket", "/a", "status", "-s", "/b"], .status(json: false), "/b"),
    (["page"], .page(PageCommand.Options()), nil),
    (
      ["page", "--rate", "0.5", "--seconds", "2", "-j"],
      .page(PageCommand.Options(rate: 0.5, seconds: 2, json: true)), nil
    ),
    (["subscribe"], .subscribe(SubscribeCommand.Options()), nil),
    (
      ["subscribe", "--count", "3", "--rates", "--all", "--min-interval", "0.5", "--seconds", "2"],
      .subscribe(
        SubscribeCommand.Options(
          wishes: SubscriptionWishes(rates: true, all: true, minInterval: 0.5), count: 3, seconds: 2)), nil
    ),
    (["watch"], .watch(WatchCommand.Options()), nil),
    (
      ["watch", "--seconds", "0.5", "--scene", "launcher"],
      .watch(WatchCommand.Options(seconds: 0.5, scene: "launcher")), nil
    ),
    (["subscribe", "--scene", "./a"], .subscribe(SubscribeCommand.Options(scene: "./a")), nil),
    (["margin"], .margin(MarginCommand.Options()), nil),
    (
      [
        "margin", "--scene", "a.json", "--layers", "64", "--front", "--distance-factor", "0.5", "--bounds",
        "390x844.5",
        "--limit", "60", "--swing", "30", "-c", "p.toml", "--set", "motion.gain_x=2", "--set=motion.gain_y=3",
      ],
      .margin(
        MarginCommand.Options(
          config: "p.toml", overrides: ["motion.gain_x=2", "motion.gain_y=3"], scene: "a.json", layers: 64,
          front: true, distanceFactor: 0.5, bounds: .init(width: 390, height: 844.5), limit: 60, swing: 30)),
      nil
    ),
    (["recenter"], .recenter, nil),
    (["pan", "4", "5"], .pan(x: 4, y: 5), nil),
    (["pan", "-12.5", "-3e1"], .pan(x: -12.5, y: -30), nil),
    (["pan", "-1", "--socket", "/a", "-2"], .pan(x: -1, y: -2), "/a"),
    (["pan", "--socket", "7", "1", "2"], .pan(x: 1, y: 2), "7"),
    (["reduced-motion", "on"], .reducedMotion(true), nil),
    (["reduced-motion", "off"], .reducedMotion(false), nil),
    (["reduced-motion", "default"], .reducedMotion(nil), nil),
    (["process", "--help"], .help(topic: "process"), nil),
    (["process", "--nothing", "-h"], .help(topic: "process"), nil),
    (["plot", "a.gcsv", "--version"], .version, nil),
    (["plot", "-h"], .help(topic: "plot"), nil),
    (["--help"], .help(topic: nil), nil),
    (["help"], .help(topic: nil), nil),
    (["help", "pan"], .help(topic: "pan"), nil),
    (["pan", "--help"], .help(topic: "pan"), nil),
    (["--help", "watch"], .help(topic: "watch"), nil),
    (["--version"], .version, nil),
  ]

  @Test(arguments: understood.indices)
  func understands(_ index: Int) throws {
    let (words, command, socket) = Self.understood[index]
    let arguments = try Arguments(words)
    #expect(arguments.command == command, "\(words)")
    #expect(arguments.socket == socket, "\(words)")
  }

  @Test(arguments: [
    ["margin", "3"], ["margin", "--layers", "65"], ["margin", "--layers", "1.5"],
    ["margin", "--bounds", "390"],
    ["margin", "--bounds", "390x0"], ["margin", "--bounds", "1x2x3"], ["margin", "--bounds", "xx"],
    ["margin", "--limit", "0"], ["margin", "--swing", "nan"], ["margin", "--distance-factor", "0"],
    ["margin", "--scene="], ["margin", "--set", "x"], ["watch", "--scene="], ["subscribe", "--scene"],
    [], ["frobnicate"], ["status", "x"], ["status", "--frobnicate"], ["subscribe", "--count", "0"],
    ["page", "x"], ["page", "--rate", "0"], ["page", "--rate", "1001"], ["page", "--rate", "nan"],
    ["page", "--rate"],
    ["subscribe", "--count", "1.5"], ["subscribe", "--count"], ["subscribe", "--min-interval", "61"],
    ["subscribe", "--min-interval", "-1"], ["subscribe", "--min-interval", "nan"],
    ["watch", "--seconds", "0"], ["watch", "--seconds", "inf"], ["pan"], ["pan", "1"],
    ["pan", "1", "2", "3"], ["pan", "1", "up"], ["pan", "nan", "1"], ["pan", "2e6", "1"], ["reduced-motion"],
    ["reduced-motion", "maybe"], ["--socket", "", "status"], ["status", "--socket="], ["help", "frobnicate"],
    ["recenter", "now"],
  ])
  func complains(_ words: [String]) {
    #expect(throws: UsageError.self) { try Arguments(words) }
  }

  @Test func aComplaintIsOneLineWithoutWhatATerminalObeys() throws {
    let error = #expect(throws: UsageError.self) { try Arguments(["\u{1b}[2J\nstatus"]) }
    let text = try #require(error).description
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f })
  }

  @Test func commandsThatReadARecordingHaveOptionsOfTheirOwn() throws {
    var process = ProcessOptions()
    process.trace.trace = "a.gcsv"
    process.trace.overrides = ["motion.gain_x=1"]
    process.wantsTilt = true
    #expect(
      try Arguments(["process", "a.gcsv", "--set", "motion.gain_x=1", "--tilt"]).command == .process(process))
    var plot = PlotOptions()
    plot.trace.trace = "a.gcsv"
    (plot.output, plot.format) = ("b.png", .png)
    #expect(try Arguments(["plot", "a.gcsv", "-o", "b.png"]).command == .plot(plot))
    // Before the command it is for those that talk to the daemon, behind it for nobody.
    #expect(try Arguments(["--socket", "/s", "process", "a.gcsv"]).socket == "/s")
    #expect(throws: UsageError.self) { try Arguments(["process", "a.gcsv", "--socket", "/s"]) }
  }

  @Test(arguments: HelpTopic.allCases)
  func everyHelpHasItsSynopsisAndAnExample(_ topic: HelpTopic) {
    #expect(topic.text.contains(topic.synopsis))
    #expect(topic.text.contains("Example"))
    #expect(HelpTopic.overview.contains("\n  \(topic.rawValue)"))
    for option in topic.options { #expect(topic.text.contains("--\(option.name)")) }
    #expect(topic.text.split(separator: "\n").allSatisfy { $0.count <= 110 })
  }
}
