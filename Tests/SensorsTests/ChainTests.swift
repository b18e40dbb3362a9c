import Testing

@testable import Sensors

@Suite struct ChainTests {
  struct Case {
    var isLocal = true
    var hasFIFO = false
    var trigger: ScanStart.Trigger
    var hasOwn = false
    var order: [ScanStart]
  }

  @Test(arguments: [
    Case(trigger: .unsupported, order: [.driver]),
    Case(isLocal: false, trigger: .unsupported, order: [.driver]),
    Case(hasFIFO: true, trigger: .unsupported, order: [.fifo]),
    Case(hasFIFO: true, trigger: .set, hasOwn: true, order: [.fifo, .current, .own, .hrtimer]),
    Case(hasFIFO: true, trigger: .none, order: [.fifo, .hrtimer]),
    Case(trigger: .set, hasOwn: true, order: [.current, .own, .hrtimer]),
    Case(trigger: .set, order: [.current, .hrtimer]),
    Case(trigger: .none, hasOwn: true, order: [.own, .hrtimer]),
    Case(trigger: .none, order: [.hrtimer]),
    Case(trigger: .made, order: [.hrtimer]),
    Case(trigger: .made, hasOwn: true, order: [.own, .hrtimer]),
    Case(isLocal: false, trigger: .none, order: []),
    Case(isLocal: false, trigger: .set, order: [.current]),
  ])
  func order(_ one: Case) {
    let order = ScanStart.order(
      isLocal: one.isLocal, hasFIFO: one.hasFIFO, trigger: one.trigger, hasOwn: one.hasOwn)
    #expect(order == one.order)
  }

  struct TriggerCase {
    /// Names, and after an @ the part's folder.
    var triggers: [String]
    var id = "iio:device3"
    var name: String? = "bmi160"
    var folder: String?
    var own: Int?
  }

  @Test(arguments: [
    TriggerCase(triggers: [], own: nil),
    TriggerCase(triggers: ["bmi160-dev2", "bmi160-dev3"], own: 1),
    TriggerCase(triggers: ["bmi160-dev30"], own: nil),
    TriggerCase(triggers: ["bmi160-dev3"], id: "iio:device30", own: nil),
    TriggerCase(triggers: ["bmi160-dev30"], id: "iio:device30", own: 0),
    TriggerCase(triggers: ["other@/p", "odd@/q"], folder: "/q", own: 1),
    TriggerCase(triggers: ["accel@/q", "bmi160-trig@/q"], folder: "/q", own: 1),
    TriggerCase(triggers: ["bmi160-any-motion-dev3@/q", "new-data@/q"], folder: "/q", own: 1),
    TriggerCase(triggers: ["bmi160-any-motion-dev3@/q"], folder: "/q", own: nil),
    TriggerCase(triggers: ["new-data@/q"], name: nil, folder: "/q", own: 0),
    TriggerCase(triggers: ["bmi160-trig-1", "bmi160-trig-3"], own: 1),
    TriggerCase(triggers: ["bmi160-trig-1"], own: nil),
    TriggerCase(triggers: ["bmi160-trig-3@/other"], folder: "/q", own: nil),
    TriggerCase(triggers: ["parallaxd-device3", "sysfstrig3", "hrtimer-3"], own: nil),
    TriggerCase(triggers: ["-3"], name: "", own: nil),
  ])
  func ownTrigger(_ one: TriggerCase) {
    let candidates = one.triggers.map { text in
      let parts = text.split(separator: "@").map(String.init)
      return OwnTrigger.Candidate(name: parts[0], folder: parts.count > 1 ? parts[1] : nil)
    }
    #expect(OwnTrigger.index(among: candidates, id: one.id, name: one.name, folder: one.folder) == one.own)
  }

  @Test(
    arguments: [
      ("128", 128), (" 64\n", 64), ("0", 0), ("-1", nil), ("", nil), ("many", nil), ("1e30", 1 << 20),
    ] as [(String, Int?)])
  func fifoCapacity(text: String, capacity: Int?) {
    #expect(HardwareFIFO.capacity(text) == capacity)
  }
}

@Suite struct RemarkTests {
  @Test(
    arguments: [
      (100, nil, false), (0, 100, false), (100, 100, false), (100, 119, false), (100, 121, true),
      (100, 79, true),
      (100, 81, false), (800, 387.99, true), (100, Double.infinity, true),
    ] as [(Double, Double?, Bool)])
  func frequency(expected: Double, measured: Double?, isSaid: Bool) {
    #expect((FrequencyRemark.text(expected: expected, measured: measured) != nil) == isSaid)
  }

  @Test func saysBoth() {
    #expect(FrequencyRemark.text(expected: 800, measured: 387.99)?.contains("388.0 Hz, not at 800.0") == true)
  }

  /// Only where another program needs the accelerometer, and it can be spared the buffer.
  @Test(arguments: [
    (true, true, true, true), (false, true, true, false), (true, false, true, false),
    (true, true, false, false),
  ])
  func autoRotation(proxyRuns: Bool, hasAccelerometer: Bool, canBePolled: Bool, polls: Bool) {
    #expect(
      AutoRotation.wantsPolling(
        proxyRuns: proxyRuns, hasAccelerometer: hasAccelerometer, canBePolled: canBePolled) == polls)
  }
}
