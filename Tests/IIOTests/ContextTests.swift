import Glibc
import IIO
import Testing

@Suite struct ContextTests {
  @Test func describesDevices() throws {
    let context = try Context(
      xml: """
        <?xml version="1.0" encoding="utf-8"?>
        <context name="xml"><device id="iio:device3" name="bmi160" label="gyro-display">
        <channel id="anglvel_y" type="input"><scan-element index="1" format="be:s16/16&gt;&gt;0"/>
        <attribute name="scale" filename="in_anglvel_scale"/></channel>
        <channel id="temp" type="input"><attribute name="raw" filename="in_temp_raw"/></channel>
        <attribute name="sampling_frequency"/></device>
        <device id="trigger0" name="bmi160-dev3"/></context>
        """)
    defer { extendLifetime(context) }
    let isLocal = context.isLocal
    #expect(!isLocal)
    let devices = context.devices
    #expect(devices.map(\.id) == ["iio:device3", "trigger0"])
    #expect(devices.map(\.isTrigger) == [false, true])
    let device = try #require(devices.first)
    #expect(device.name == "bmi160")
    #expect(device.label == "gyro-display")
    #expect(device.systemPath == nil)
    #expect(device.hasAttribute("sampling_frequency"))
    let channel = try #require(device.inputChannel("anglvel_y"))
    #expect(channel.isScanElement)
    #expect(channel.index == 1)
    #expect(channel.fileName(of: "scale") == "in_anglvel_scale")
    #expect(channel.hasAttribute("scale") && !channel.hasAttribute("raw"))
    #expect(device.inputChannel("anglvel_x") == nil)
    #expect(device.inputChannel("temp")?.isScanElement == false)
  }

  /// A negative result and NULL with errno both become an error that says what was attempted.
  @Test func bothWaysToFail() throws {
    let context = try Context(
      xml: """
        <context name="xml"><device id="iio:device0"><channel id="anglvel_x" type="input">
        <scan-element index="0" format="le:s16/16&gt;&gt;0"/></channel></device></context>
        """)
    defer { extendLifetime(context) }
    let devices = context.devices
    let device = try #require(devices.first)
    #expect(throws: IIOError(code: ENOSYS, operation: "read name of iio:device0")) {
      try device.read("name")
    }
    // No channel is enabled.
    #expect(throws: IIOError(code: EINVAL, operation: "switch on the buffer of iio:device0")) {
      _ = try Buffer(device, samples: 1, kernelBuffers: 4)
    }
    #expect(throws: IIOError(code: ENOSYS, operation: "open nonsense:")) {
      _ = try Context(uri: "nonsense:")
    }
  }
}
