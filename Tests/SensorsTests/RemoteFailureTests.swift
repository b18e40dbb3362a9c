import Glibc
import IIO
import Testing

@testable import Sensors

@Suite struct RemoteFailureTests {
  struct Case: Sendable {
    let uri: String
    let code: Int32
    var isInUnit = true
    let reason: SensorFailure.Reason
    /// What the text must name, and what it must not.
    let names: [String]
    var doesNotName = "nothing"
  }

  @Test(
    arguments: [
      Case(
        uri: "ip:10.0.0.1", code: EAFNOSUPPORT, reason: .permission,
        names: ["parallaxd.service.d/network.conf", "RestrictAddressFamilies="]),
      Case(uri: "ip:10.0.0.1", code: EPERM, reason: .permission, names: ["network.conf", "IPAddressDeny="]),
      Case(uri: "ip:10.0.0.1", code: ETIMEDOUT, reason: .noDevice, names: ["10.0.0.1", "network.conf"]),
      Case(
        uri: "ip:10.0.0.1", code: ETIMEDOUT, isInUnit: false, reason: .noDevice, names: ["10.0.0.1"],
        doesNotName: "network.conf"),
      Case(uri: "ip:10.0.0.1", code: ECONNREFUSED, reason: .noDevice, names: ["iiod"]),
      Case(uri: "ip:nowhere", code: ENOENT, reason: .noDevice, names: ["nobody knows", "ip:nowhere"]),
      Case(
        uri: "ip:", code: ENOENT, reason: .noDevice, names: ["names no machine", "ip:HOST"],
        doesNotName: "No such file"),
      Case(uri: "ip:", code: ENOMEM, reason: .noDevice, names: ["names no machine"]),
      Case(uri: "usb:", code: EACCES, reason: .permission, names: ["usb.conf", "DevicePolicy="]),
      Case(
        uri: "usb:", code: EACCES, isInUnit: false, reason: .permission, names: ["/dev/bus/usb"],
        doesNotName: "usb.conf"),
      Case(uri: "usb:3.11", code: ENODEV, reason: .noDevice, names: ["usb:3.11"]),
    ])
  func theDropInThatIsMissing(one: Case) {
    let error = IIOError(code: one.code, operation: "open \(one.uri)")
    let failure = SensorFailure(reaching: one.uri, error, isInUnit: one.isInUnit)
    #expect(failure.reason == one.reason)
    for name in one.names { #expect(failure.text.contains(name), "\(failure.text)") }
    #expect(!failure.text.contains(one.doesNotName), "\(failure.text)")
  }
}
