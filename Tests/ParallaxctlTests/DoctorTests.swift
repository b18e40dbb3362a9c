import Linux
import Motion
import Settings
import Testing
import Wire

@testable import parallaxctl

/// Facts in, findings out.
@Suite struct DoctorTests {
  typealias Facts = MachineFacts

  static func file(_ path: String, _ group: String = "root", _ mode: UInt32 = 0o600) -> Facts.File {
    Facts.File(path: path, owner: "root", group: group, mode: mode, isWritable: true)
  }

  /// A machine that is well: the installed service reads a gyroscope.
  static let well: Facts = {
    var facts = Facts()
    facts.modules = ["industrialio", "hid_sensor_hub", "hid_sensor_gyro_3d"]
    facts.hasIIO = true
    var device = Facts.Device(id: "iio:device0", name: "gyro_3d")
    device.isGyroscope = true
    device.hasBuffer = true
    device.takesTrigger = true
    device.isBufferEnabled = true
    device.currentTrigger = "gyro_3d-dev0"
    device.node = file("/dev/iio:device0", "parallax-sensor", 0o660)
    device.settings = [file("buffer/enable", "parallax-sensor", 0o664)]
    device.holders = [Facts.Process(id: 7, name: "parallaxd")]
    facts.devices = [device]
    facts.triggers = [Facts.Trigger(id: "trigger0", name: "gyro_3d-dev0")]
    facts.units = [
      "parallaxd.service": UnitState(load: "loaded", active: "active", file: "static", result: "success"),
      "parallaxd.socket": UnitState(load: "loaded", active: "active", file: "enabled", result: "success"),
    ]
    var status = Status(backend: "iio")
    status.state = .running
    status.sensor.uri = "local:"
    status.sensor.mode = "buffer"
    status.sensor.frequencySet = 100
    status.sensor.frequencyMeasured = 99
    status.sensor.mountMatrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    facts.daemon = .answers(status)
    facts.stream = stream(noise: 0.003, mean: Vector3(0.01, 0, 0))
    return facts
  }()

  /// Two seconds at 30 Hz, with a noise that goes up and down.
  static func stream(noise: Double, mean: Vector3, gaps: Int = 0, hasRates: Bool = true) -> StreamFacts {
    StreamFacts(
      (0..<60).map { index in
        var event = MotionEvent()
        event.state = .running
        event.timestampNanoseconds = Int64(index + 1) * 33_000_000
        event.gap = index > 0 && index <= gaps
        let shake = index % 2 == 0 ? noise : -noise
        event.rate = hasRates ? .init(x: mean.x + shake, y: mean.y - shake, z: mean.z + shake) : nil
        return event
      })
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// Parts of the one problem's text and of its remedy; nil: there is none.
    let problem: String?
    let remedy: String
    let change: @Sendable (inout Facts) -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ problem: String?, _ remedy: String = "",
      _ change: @escaping @Sendable (inout Facts) -> Void
    ) {
      self.name = name
      self.problem = problem
      self.remedy = remedy
      self.change = change
    }
  }

  static func answering(_ facts: inout Facts, _ change: (inout Status) -> Void) {
    guard case .answers(var status) = facts.daemon else { return }
    change(&status)
    facts.daemon = .answers(status)
  }

  /// Nothing starts the scans, so they are polled.
  static func noTrigger(_ facts: inout Facts) {
    facts.triggers = []
    facts.hasConfigfs = true
    facts.devices[0].currentTrigger = nil
    answering(&facts) {
      $0.sensor.mode = "poll"
      $0.sensor.why = [
        "poll: iio:device0 (gyro_3d) has no trigger that would start its scans, and none can be made: x"
      ]
    }
  }

  static func mirrored(_ facts: inout Facts) {
    answering(&facts) { $0.sensor.why = ["in_mount_matrix is no rotation (its determinant is -1.0)"] }
  }

  static let cases: [Case] = [
    Case("well", nil) { _ in },
    Case("the hub's gyroscope driver is not loaded", "HID sensor hub", "modprobe hid-sensor-gyro-3d") {
      $0.devices = []
      $0.modules = ["industrialio", "hid_sensor_hub"]
    },
    Case("no IIO core", "IIO core is not loaded", "modprobe") {
      $0.devices = []
      $0.hasIIO = false
      $0.modules = []
    },
    Case("no device", "no IIO device", "modprobe") { $0.devices = [] },
    Case("modules are not known", "no IIO device", "modprobe") {
      $0.devices = []
      $0.modules = nil
    },
    Case("no gyroscope", "none is a gyroscope: iio:device3 (als)", "modprobe") {
      $0.devices = [Facts.Device(id: "iio:device3", name: "als")]
    },
    Case("no sensor is needed", nil) {
      $0.devices = []
      answering(&$0) { $0.sensor.backend = "demo" }
    },
    Case("another machine's sensor", nil) {
      $0.devices = []
      answering(&$0) { $0.sensor.uri = "ip:192.0.2.1" }
    },
    Case("no node", "/dev/iio:device0 is missing", "udevadm trigger --subsystem-match=iio") {
      $0.devices[0].node = nil
    },
    Case("the udev rule did not run", "not open to the group parallax-sensor", "udevadm control --reload") {
      $0.devices[0].settings[0].group = "root"
      answering(&$0) { $0.sensor.mode = "poll" }
    },
    Case("the group may not write", "buffer/enable is root:parallax-sensor 0644", "udevadm") {
      $0.devices[0].settings[0].mode = 0o644
      answering(&$0) { $0.sensor.mode = "poll" }
    },
    Case("no service and no right", "may not set up the buffer", "make install") {
      $0.units = nil
      $0.devices[0].settings[0].isWritable = false
      answering(&$0) {
        $0.sensor.mode = "poll"
        $0.sensor.why = ["poll: open /dev/iio:device0: Permission denied"]
      }
    },
    Case("polled by configuration", nil) {
      noTrigger(&$0)
      $0.devices[0].settings[0].group = "root"
      answering(&$0) { $0.sensor.why = ["poll: `mode` in [sensor] says so"] }
    },
    Case("polled for auto-rotation", nil) {
      noTrigger(&$0)
      answering(&$0) { $0.sensor.why = ["poll: polled, so that auto-rotation (iio-sensor-proxy) goes on"] }
    },
    Case("no trigger", "no trigger", "modprobe iio-trig-hrtimer && sudo systemctl restart parallaxd") {
      noTrigger(&$0)
    },
    Case("no trigger and no configfs", "no trigger", "sudo mount -t configfs none /sys/kernel/config") {
      noTrigger(&$0)
      $0.hasConfigfs = false
    },
    Case("no right to make a trigger", "hrtimer is root:root 0755", "sudo systemctl restart parallaxd") {
      noTrigger(&$0)
      $0.hrtimer = file("/sys/kernel/config/iio/triggers/hrtimer", "root", 0o755)
    },
    Case("no trigger and no values to poll", "so nothing is read", "modprobe iio-trig-hrtimer") {
      noTrigger(&$0)
      answering(&$0) {
        $0.sensor.mode = nil
        $0.sensor.why = []
        $0.state = .waiting
        $0.reason = .configuration
        $0.text = "iio:device0 (gyro_3d) has no trigger that would start its scans, and none can be made: x"
      }
    },
    Case("no right to set the rate", "the frequency stays as it is", "udevadm trigger --subsystem-match=iio")
    {
      answering(&$0) {
        $0.sensor.why = ["write 100 to sampling_frequency: Permission denied: the frequency stays as it is"]
      }
    },
    Case("it needs no trigger", nil) {
      noTrigger(&$0)
      $0.devices[0].takesTrigger = false
      answering(&$0) { $0.sensor.why = ["poll: its buffer gave no scans"] }
    },
    Case("a polled sensor has another rate than its driver", nil) {
      answering(&$0) {
        $0.sensor.mode = "poll"
        $0.sensor.why = ["poll: `mode` in [sensor] says so"]
        $0.sensor.frequencySet = 100
        $0.sensor.frequencyMeasured = 33.3
      }
    },
    Case(
      "the folder is closed", "/sys/bus/iio/devices/iio:device0 cannot be looked at: it is closed to ann",
      "sudo"
    ) {
      $0.user = .init(id: 1000, name: "ann")
      $0.closedFolders = ["/sys/bus/iio/devices/iio:device0"]
      $0.devices[0].isGyroscope = false
      answering(&$0) {
        $0.state = .idle
        $0.sensor.mode = nil
      }
    },
    Case("closed to the user, not to the daemon", nil) {
      $0.closedFolders = ["/sys/bus/iio/devices/iio:device0"]
      $0.devices[0].isGyroscope = false
    },
    Case("another reader", "process 812 (hhd)", "sudo kill 812") {
      $0.devices[0].holders = [Facts.Process(id: 812, name: "hhd")]
      $0.readers = [Facts.Process(id: 812, name: "hhd")]
    },
    Case("iio-sensor-proxy", "process 9 (iio-sensor-prox)", "systemctl stop iio-sensor-proxy") {
      $0.devices[0].holders = [Facts.Process(id: 9, name: "iio-sensor-prox")]
    },
    Case("another reader, seen by a user", "only root sees which", "sudo parallaxctl doctor") {
      $0.user.id = 1000
      $0.devices[0].holders = nil
      answering(&$0) {
        $0.reason = .busy
        $0.state = .running
      }
    },
    Case("left on", "left by a program that crashed", "echo 0 | sudo tee") {
      $0.devices[0].holders = []
    },
    Case("not installed", "not installed as a service", "make install") {
      $0.daemon = .absent("no daemon")
      $0.units?["parallaxd.service"]?.load = "not-found"
      $0.devices[0].settings = []
    },
    Case("not started", "parallaxd.socket is inactive", "systemctl enable --now parallaxd.socket") {
      $0.daemon = .absent("no daemon")
      $0.units?["parallaxd.socket"]?.active = "inactive"
    },
    Case("failed", "parallaxd.service has failed (watchdog)", "journalctl --unit=parallaxd.service") {
      $0.daemon = .absent("no daemon")
      $0.units?["parallaxd.service"]?.active = "failed"
      $0.units?["parallaxd.service"]?.result = "watchdog"
    },
    Case("no systemd", "no daemon", "parallaxd") {
      $0.daemon = .absent("no daemon")
      $0.units = nil
    },
    Case("no right to connect", "you may not", "sudo usermod -aG parallax ann") {
      $0.daemon = .refused(
        "you may not connect to x: open to parallax; `sudo usermod -aG parallax ann`, then")
    },
    Case("nobody else may connect", "you may not", "sudo parallaxctl doctor") {
      $0.daemon = .refused("you may not connect to x: it is open to root alone")
    },
    Case("the daemon hangs", "does not answer", "sudo systemctl restart parallaxd") {
      $0.lastStatus = $0.status
      $0.daemon = .hangs("the daemon at x does not answer")
    },
    Case("the daemon of a user hangs", "does not answer", "pkill --signal KILL --exact parallaxd; parallaxd")
    {
      $0.units = nil
      $0.lastStatus = $0.status
      $0.daemon = .hangs("the daemon at x does not answer")
    },
    Case("the service is there, and hung up", "has hung up", "journalctl --unit=parallaxd") {
      $0.daemon = .absent("the daemon at x has hung up")
    },
    Case("a reload was refused", "last reload was refused: x", "parallaxd --check-config") {
      answering(&$0) { $0.configuration.lastError = "x" }
    },
    Case("no scans", "no scans (no-data): silent", "current_trigger") {
      answering(&$0) {
        $0.state = .stalled
        $0.reason = .noData
        $0.text = "silent"
      }
    },
    Case("a matrix that is none", "is no mount matrix", "mount_matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]") {
      answering(&$0) { $0.sensor.why = ["in_mount_matrix is no mount matrix (\"x\")"] }
    },
    Case("a matrix that mirrors", "is no rotation", "sudo parallaxctl doctor --axes") { mirrored(&$0) },
    Case("a matrix that mirrors, and axes", nil) {
      mirrored(&$0)
      answering(&$0) { $0.settings = [.init(name: "sensor.axes", value: "\"xYZ\"")] }
    },
    Case("a matrix that mirrors, and the axes as they are", nil) {
      mirrored(&$0)
      $0.configuredKeys = ["sensor.axes"]
      answering(&$0) { $0.settings = [.init(name: "sensor.axes", value: "\"XYZ\"")] }
    },
    Case("a configured matrix that mirrors", nil) {
      mirrored(&$0)
      answering(&$0) { $0.sensor.mountMatrixFrom = "configuration" }
    },
    Case("no event", "no event of a running sensor", "watch") { $0.stream = StreamFacts([]) },
    Case("too slow", "really come at 50.0 Hz, not at 100.0", "sampling_frequency = 200.0") {
      answering(&$0) {
        $0.sensor.frequencyMeasured = 50
        $0.sensor.why = ["samples really come at 50.0 Hz, not at 100.0: the driver"]
      }
    },
    Case("too fast", nil) {
      answering(&$0) {
        $0.sensor.frequencyMeasured = 200
        $0.sensor.why = ["samples really come at 200.0 Hz, not at 100.0: the driver"]
      }
    },
    Case("polls come late", "really come at 3.0 Hz, not at 33.3") {
      answering(&$0) {
        $0.sensor.mode = "poll"
        $0.sensor.why = ["poll: `mode` in [sensor] says so", "samples really come at 3.0 Hz, not at 33.3: x"]
      }
    },
    Case("gaps", "3 gaps in 1.9 s", "journalctl") {
      $0.stream = stream(noise: 0.003, mean: .zero, gaps: 3)
    },
    Case("rates are hidden", nil) { $0.stream = stream(noise: 0, mean: .zero, hasRates: false) },
    Case("frozen", "again and again", "restart parallaxd") { $0.stream = stream(noise: 0, mean: .zero) },
    Case("moved", nil) { $0.stream = stream(noise: 1, mean: Vector3(0.5, 0, 0)) },
    Case("drift", "shows 0.200 rad/s, above the threshold 0.1", "bias = [0.20000, 0.00000, 0.00000]") {
      $0.stream = stream(noise: 0.003, mean: Vector3(0.2, 0, 0))
    },
    Case("drift that a calibration ends", "the content drifts", "sudo parallaxctl calibrate") {
      answering(&$0) { $0.settings = [.init(name: "calibration.mode", value: "\"auto\"")] }
      $0.stream = stream(noise: 0.003, mean: Vector3(0.15, 0, 0))
    },
    Case("drift beyond the largest bias", "the content drifts", "bias = [0.25000, 0.00000, 0.00000]") {
      answering(&$0) { $0.settings = [.init(name: "calibration.mode", value: "\"auto\"")] }
      $0.stream = stream(noise: 0.003, mean: Vector3(0.25, 0, 0))
    },
    Case("drift about z moves nothing", nil) {
      $0.stream = stream(noise: 0.003, mean: Vector3(0, 0, 0.5))
    },
  ]

  @Test(arguments: cases)
  func findings(_ one: Case) {
    var facts = Self.well
    one.change(&facts)
    let problems = Checks.findings(facts).filter { $0.kind == .problem }
    guard let expected = one.problem else {
      #expect(problems.isEmpty)
      return
    }
    #expect(
      problems.contains { $0.text.contains(expected) && ($0.remedy?.text ?? "").contains(one.remedy) },
      "\(problems)")
    #expect(problems.count == 1, "one fault, one finding: \(problems)")
  }

  @Test func noTriggerAndNoDaemonToTry() {
    var facts = Self.well
    Self.noTrigger(&facts)
    facts.daemon = .absent("no daemon")
    let texts = Checks.findings(facts).map(\.text)
    #expect(texts.contains { $0.contains("no trigger, and none can be made") })
    facts.hrtimer = Self.file("/sys/kernel/config/iio/triggers/hrtimer")
    #expect(!Checks.findings(facts).contains { $0.text.contains("no trigger") })
  }

  /// Lines for a configuration are such lines.
  @Test(arguments: cases)
  func settingsCanBeRead(_ one: Case) throws {
    var facts = Self.well
    one.change(&facts)
    for case .settings(let remedy) in Checks.findings(facts).compactMap(\.remedy) {
      var draft = SettingsDraft()
      let text = "[\(remedy.section)]\n" + remedy.lines.joined(separator: "\n")
      try Array(text.utf8).withUnsafeBytes { try Settings.parse($0, fileName: "remedy", into: &draft) }
      _ = try draft.finished(files: [])
    }
  }

  @Test(arguments: [
    ("buffer/enable", true), ("buffer/length", true), ("buffer/watermark", true),
    ("buffer/sampling_frequency", true), ("buffer/data_available", false), ("buffer/hwfifo_watermark", false),
    ("scan_elements/in_anglvel_x_en", true), ("scan_elements/in_deltaangl_x_en", true),
    ("scan_elements/in_timestamp_en", true), ("scan_elements/out_voltage0_en", true),
    ("scan_elements/in_anglvel_x_type", false), ("in_anglvel_sampling_frequency", true),
    ("in_deltaangl_sampling_frequency", true), ("sampling_frequency", true),
    ("sampling_frequency_available", false), ("current_timestamp_clock", true),
    ("trigger/current_trigger", true), ("in_anglvel_scale", false), ("in_anglvel_x_en", false), ("", false),
  ])
  func whatTheDaemonWrites(_ name: String, _ isWritten: Bool) {
    #expect(MachineFacts.isWritten(name) == isWritten)
  }
}
