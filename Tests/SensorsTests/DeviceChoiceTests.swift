import TestSupport
import Testing

@testable import Sensors

@Suite struct DeviceChoiceTests {
  static let hub = [
    GyroscopeIdentity(
      id: "iio:device10", name: "gyro_3d", location: "base", path: "/sys/devices/a/iio:device10"),
    GyroscopeIdentity(id: "iio:device2", name: "gyro_3d", path: "/sys/devices/b/iio:device2"),
    GyroscopeIdentity(
      id: "iio:device3", name: "bmi160", label: "gyro-display", path: "/sys/devices/c/iio:device3"),
  ]

  @Test func ownsNothing() {
    #expect(DeviceChoice(among: [], wanted: nil) == nil)
    #expect(DeviceChoice(among: [], wanted: "gyro") == nil)
  }

  @Test func onlyOne() throws {
    let choice = try #require(DeviceChoice(among: [Self.hub[1]], wanted: nil))
    #expect(choice.index == 0)
    #expect(choice.why == "iio:device2 is the only gyroscope")
  }

  @Test func displayBeforeOthers() throws {
    let choice = try #require(DeviceChoice(among: Self.hub, wanted: nil))
    #expect(choice.index == 2)
    #expect(
      choice.why == #"iio:device3 is said to be in the display (label "gyro-display"), of 3 gyroscopes"#)
    var located = Self.hub
    located[2].label = nil
    located[1].location = "display"
    #expect(try #require(DeviceChoice(among: located, wanted: nil)).index == 1)
  }

  @Test func aLabelBeforeALocation() throws {
    var both = Self.hub
    both[1].location = "lid"
    let choice = try #require(DeviceChoice(among: both, wanted: nil))
    #expect(choice.index == 2)
    #expect(choice.why.contains("2 are"))
  }

  @Test func elseTheOneThatIsNotElsewhere() throws {
    let choice = try #require(DeviceChoice(among: Array(Self.hub.prefix(2)), wanted: nil))
    #expect(choice.index == 1)
    #expect(choice.why.contains("not said to be outside the display"))
  }

  /// Numbers change from boot to boot; what the parts hang on does not.
  @Test func elseByTheHardware() throws {
    let devices = [
      GyroscopeIdentity(id: "iio:device1", name: "gyro_3d", path: "/sys/devices/HID-SENSOR.10/iio:device1"),
      GyroscopeIdentity(id: "iio:device3", name: "gyro_3d", path: "/sys/devices/HID-SENSOR.9/iio:device3"),
    ]
    let choice = try #require(DeviceChoice(among: devices, wanted: nil))
    #expect(choice.index == 1)
    #expect(choice.why.contains("first of 2") && choice.why.contains("`device`"))
  }

  /// By number, not by letter: 2 comes before 10. So it is on another machine, whose hardware is not seen.
  @Test func elseTheFirst() throws {
    let devices = ["iio:device10", "iio:device2"].map { GyroscopeIdentity(id: $0, name: "gyro_3d") }
    #expect(try #require(DeviceChoice(among: devices, wanted: nil)).index == 1)
  }

  @Test(arguments: [
    ("gyro-display", 2), ("base", 0), ("gyro_3d", 1), ("bmi160", 2), ("/sys/devices/b/iio:device2", 1),
    ("/sys/devices/b", 1), ("/sys/devices/b/", 1), ("iio:device2", 1), ("iio:device10", 0),
    ("/sys/bus/iio/devices/iio:device10", 0), ("/dev/iio:device3", 2),
  ])
  func byName(wanted: String, index: Int) throws {
    let choice = try #require(DeviceChoice(among: Self.hub, wanted: wanted))
    #expect(choice.index == index)
    #expect(choice.why.contains("\"\(wanted)\" that `device` names"))
  }

  @Test func oneOfSeveralOfAName() throws {
    let choice = try #require(DeviceChoice(among: Self.hub, wanted: "gyro_3d"))
    #expect(choice.why.contains("as 2 gyroscopes have"))
    #expect(choice.why.contains("/sys/devices/b"))
  }

  /// Label, location, name, path, id.
  @Test func theKindsInTheirOrder() throws {
    var devices = (0..<5).map { GyroscopeIdentity(id: "iio:device\($0)", path: "/p/\($0)/iio:device\($0)") }
    let wanted = "iio:device4"
    #expect(try #require(DeviceChoice(among: devices, wanted: wanted)).index == 4)
    devices[3].path = "iio:device4/iio:device3"
    #expect(try #require(DeviceChoice(among: devices, wanted: wanted)).index == 3)
    devices[2].name = wanted
    #expect(try #require(DeviceChoice(among: devices, wanted: wanted)).index == 2)
    devices[1].location = wanted
    #expect(try #require(DeviceChoice(among: devices, wanted: wanted)).index == 1)
    devices[0].label = wanted
    #expect(try #require(DeviceChoice(among: devices, wanted: wanted)).index == 0)
  }

  @Test(arguments: ["", "/", "gyro", "device2", "/sys/devices", "GYRO_3D"])
  func notThere(wanted: String) {
    #expect(DeviceChoice(among: Self.hub, wanted: wanted) == nil)
  }

  /// In whatever order the devices are listed.
  @Test func doesNotDependOnTheOrder() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix64(seed: seed)
    for wanted in [nil, "gyro_3d"] {
      let ids = Set(
        (0..<20).map { _ in
          let devices = Self.hub.shuffled(using: &generator)
          return DeviceChoice(among: devices, wanted: wanted).map { devices[$0.index].id }
        })
      #expect(ids.count == 1, "\(ids), seed \(seed)")
    }
  }

  @Test(
    arguments: [
      ("gyro-display", nil, .display), ("accel-display", nil, .display), (nil, "lid", .display),
      ("Display_Gyro", nil, .display), ("left screen", nil, .display), ("gyro-base", nil, .elsewhere),
      (nil, "base", .elsewhere), ("accel-camera", nil, .elsewhere), ("left-controller", nil, .elsewhere),
      ("keyboard", "lid", .elsewhere), ("imu", "lid", .display), ("imu", "unknown", .unknown),
      (nil, nil, .unknown), ("baseline", nil, .unknown), ("displayport", "", .unknown),
    ] as [(String?, String?, GyroscopePlace)])
  func place(label: String?, location: String?, place: GyroscopePlace) {
    #expect(GyroscopePlace(label: label, location: location) == place)
  }

  @Test(
    arguments: [
      (["accel_x", "accel_y", "timestamp"], nil), ([], nil), (["anglvel_z", "temp"], "about z only"),
      (["anglvel_x", "anglvel_y"], "about x and y only"), (["anglvel"], "about which axis"),
    ] as [([String], String?)])
  func shortcoming(channels: [String], text: String?) {
    let shortcoming = GyroscopeSearch.shortcoming(channels: channels)
    if let text { #expect(shortcoming?.contains(text) == true) } else { #expect(shortcoming == nil) }
  }

  @Test(arguments: [
    ("a2", "a10", true), ("a10", "a2", false), ("a", "a", false), ("a", "ab", true), ("a02", "a2", false),
    ("1.2.10", "1.10.2", true), ("", "a", true), ("99999999999999999999", "100000000000000000000", true),
  ])
  func naturalOrder(one: String, other: String, precedes: Bool) {
    #expect(NaturalOrder.precedes(one, other) == precedes)
  }
}
