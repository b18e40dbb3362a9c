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
    #expect(try #require(DeviceChoice(among: Self.hub, wanted: nil)).index == 2)
    var located = Self.hub
    located[2].label = nil
    located[1].location = "display"
    #expect(try #require(DeviceChoice(among: located, wanted: nil)).index == 1)
  }

  /// By number, not by letter: 2 comes before 10.
  @Test func elseTheFirst() throws {
    let choice = try #require(DeviceChoice(among: Array(Self.hub.prefix(2)), wanted: nil))
    #expect(choice.index == 1)
    #expect(choice.why.contains("first of 2"))
  }

  @Test(arguments: [
    ("gyro-display", 2), ("base", 0), ("gyro_3d", 0), ("bmi160", 2), ("/sys/devices/b/iio:device2", 1),
    ("/sys/devices/b", 1), ("iio:device2", 1),
  ])
  func byName(wanted: String, index: Int) throws {
    #expect(try #require(DeviceChoice(among: Self.hub, wanted: wanted)).index == index)
  }

  @Test func labelBeforeName() throws {
    var devices = Self.hub
    devices[1].label = "bmi160"
    #expect(try #require(DeviceChoice(among: devices, wanted: "bmi160")).index == 1)
  }

  @Test(arguments: ["", "gyro", "device2", "/sys/devices", "GYRO_3D"])
  func notThere(wanted: String) {
    #expect(DeviceChoice(among: Self.hub, wanted: wanted) == nil)
  }
}
